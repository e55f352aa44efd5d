package io.github.eventpoll.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The ends of a pipe as streams that block. */
final class PipeStreams {
  private PipeStreams() {}

  private static InterruptedIOException interrupted(int bytes) {
    Thread.currentThread().interrupt();
    InterruptedIOException thrown = new InterruptedIOException("interrupted");
    thrown.bytesTransferred = bytes;
    return thrown;
  }

  static final class In extends InputStream {
    private final BytePipe.ReadEnd end;

    In(BytePipe.ReadEnd end) {
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
      try {
        return end.read(buffer);
      } catch (InterruptedException e) {
        throw interrupted(0);
      } catch (IllegalStateException e) {
        throw new IOException(e);
      }
    }

    @Override
    public int available() {
      return end.available();
    }

    @Override
    public void close() {
      end.close();
    }
  }

  static final class Out extends OutputStream {
    private final BytePipe.WriteEnd end;

    Out(BytePipe.WriteEnd end) {
      this.end = end;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(from, offset, length);
      try {
        end.write(buffer);
      } catch (InterruptedException e) {
        throw interrupted(length - buffer.remaining());
      } catch (IllegalStateException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      end.close();
    }
  }
}
