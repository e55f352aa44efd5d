package io.github.eventpoll;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** What the library logs at level WARN, which the tests have switched off otherwise. */
final class LogCapture implements AutoCloseable {
  private final Object logger = LoggerFactory.getLogger(EventPoll.class);
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final Field level;
  private final Object before;

  LogCapture() throws ReflectiveOperationException {
    level = logger.getClass().getDeclaredField("currentLogLevel");
    level.setAccessible(true);
    before = level.get(logger);
    level.setInt(logger, 30);
    System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
  }

  String text() {
    return text.toString(StandardCharsets.UTF_8);
  }

  long warnings() {
    return text().lines().filter(line -> line.contains(" WARN ")).count();
  }

  @Override
  public void close() throws ReflectiveOperationException {
    System.setErr(err);
    level.set(logger, before);
  }
}
