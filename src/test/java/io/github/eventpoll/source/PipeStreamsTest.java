package io.github.eventpoll.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The ends of a pipe as streams. */
class PipeStreamsTest {
  private static final int LIMIT_SECONDS = 30;

  private final BytePipe pipe = BytePipe.create(1);
  private final InputStream in = pipe.readEnd().inputStream();
  private final OutputStream out = pipe.writeEnd().outputStream();

  @Test
  void bytesAndTheEnd() throws IOException {
    out.write(0x1ff);
    out.write(new byte[] {0, 1, 2, 3}, 1, 2);
    assertThat(in.available()).isEqualTo(3);
    assertThat(in.read()).isEqualTo(0xff);
    byte[] into = new byte[5];
    assertThat(in.read(into, 1, 4)).isEqualTo(2);
    assertThat(into).containsExactly(0, 1, 2, 0, 0);
    assertThat(in.read(into, 0, 0)).isZero();
    out.close();
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read(into)).isEqualTo(-1);
  }

  @Test
  void aThreadThatCopiesThroughASmallPipe() throws Exception {
    byte[] all = new byte[1 << 18];
    new Random(3).nextBytes(all);
    CompletableFuture<byte[]> copied = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                copied.complete(in.readAllBytes());
              } catch (IOException | RuntimeException e) {
                copied.completeExceptionally(e);
              }
            });
    reader.start();
    out.write(all);
    out.close();
    assertThat(copied.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(all);
  }

  @Test
  void errorsAreThoseOfStreams() throws IOException {
    assertThatThrownBy(() -> in.read(new byte[1], 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    in.close();
    assertThatThrownBy(() -> out.write(1))
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(BrokenPipeException.class);
    assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("is closed");
    out.close();
    assertThatThrownBy(() -> out.write(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void anInterruptEndsAReadAndAWriteAndStaysSet() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
    assertThatThrownBy(() -> out.write(new byte[2 * BytePipe.PAGE]))
        .isInstanceOfSatisfying(
            InterruptedIOException.class,
            e -> assertThat(e.bytesTransferred).isEqualTo(BytePipe.PAGE));
    assertThat(Thread.interrupted()).isTrue();
  }
}
