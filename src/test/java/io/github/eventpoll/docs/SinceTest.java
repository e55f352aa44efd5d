package io.github.eventpoll.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Javadoc of every public type says since when there is one. */
class SinceTest {
  private static final Path ROOT = Path.of(System.getProperty("eventpoll.basedir", "."));
  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)^ *public (?:[a-z-]+ )*(?:class|interface|enum|record|@interface) (\\w+)");
  private static final Pattern SINCE = Pattern.compile("(?m)^ *\\* @since \\d+\\.\\d+$");

  @Test
  void everyPublicTypeOfAnExportedPackageSaysSinceWhen() {
    List<String> checked = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    new JavaSources(ROOT)
        .below("src/main/java")
        .forEach(
            (path, text) -> {
              if (!path.toString().contains("internal")) {
                types(text, checked, silent);
              }
            });
    assertThat(checked).contains("EventPoll", "Timer", "ChannelSource", "VirtualTime");
    assertThat(silent).as("public types without @since").isEmpty();
  }

  @Test
  void tellsATypeThatSaysItFromOneThatDoesNot() {
    List<String> checked = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    types(
        """
        /**
         * Has it.
         *
         * @since 0.1
         */
        public final class Has {
          /** Has not. */
          public enum Inner {}
        }
        class Own {}
        """,
        checked,
        silent);
    assertThat(checked).containsExactly("Has", "Inner");
    assertThat(silent).containsExactly("Inner");
  }

  private static void types(String text, List<String> checked, List<String> silent) {
    Matcher type = TYPE.matcher(text);
    int end = 0; // of the declaration before: what comes after it belongs to this one
    while (type.find()) {
      checked.add(type.group(1));
      if (!SINCE.matcher(text.substring(end, type.start())).find()) {
        silent.add(type.group(1));
      }
      end = type.end();
    }
  }
}
