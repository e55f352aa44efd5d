package io.github.eventpoll.examples;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into lines. A line is a string with one character for each byte, so that
 * it goes back as the bytes it came as, whatever they mean.
 */
final class Lines {
  private static final int LONGEST = 8192;

  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

  /** Takes all bytes; hands on each line that is complete, without its end. */
  void take(ByteBuffer from, Consumer<String> to) throws IOException {
    while (from.hasRemaining()) {
      byte next = from.get();
      if (next == '\n') {
        to.accept(text(begun.toByteArray()));
        begun.reset();
      } else if (begun.size() == LONGEST) {
        throw new IOException("a line of more than " + LONGEST + " bytes");
      } else {
        begun.write(next);
      }
    }
  }

  /** The bytes of one or more lines. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] line) {
    int length = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    return new String(line, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** A text of this program as a line that readers of UTF-8 understand. */
  static String line(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
