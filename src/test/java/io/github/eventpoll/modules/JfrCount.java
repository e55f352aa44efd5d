package io.github.eventpoll.modules;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Which kinds of events of the library are recorded; apart, because it needs {@code jdk.jfr}. */
final class JfrCount {
  private JfrCount() {}

  interface Action {
    void run() throws Exception;
  }

  static TreeSet<String> kinds(Action action) throws Exception {
    Path file = Files.createTempFile("recording", ".jfr");
    try (Recording recording = new Recording()) {
      for (String name : new String[] {"Wait", "Wake", "Pass", "LoopCheck"}) {
        recording.enable("io.github.eventpoll." + name);
      }
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
      TreeSet<String> kinds = new TreeSet<>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        String name = event.getEventType().getName();
        if (name.startsWith("io.github.eventpoll.")) {
          kinds.add(event.getEventType().getLabel());
        }
      }
      return kinds;
    } finally {
      Files.delete(file);
    }
  }
}
