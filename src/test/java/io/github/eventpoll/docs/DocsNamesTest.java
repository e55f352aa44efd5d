package io.github.eventpoll.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that explain the code speak of types, members and claims that exist. */
class DocsNamesTest {
  private static final Path ROOT = Path.of(System.getProperty("eventpoll.basedir", "."));
  private static final Pattern NAME =
      Pattern.compile("`((?:[A-Z]\\w*[a-z]\\w*)(?:\\.\\w+)*)(?:\\(\\w*\\))?`");
  private static final Pattern CLAIM = Pattern.compile("\\bMO-[A-Z]+-\\d+\\b");
  private static final List<String> JDK =
      List.of(
          "java.lang.",
          "java.nio.channels.",
          "java.time.",
          "java.util.",
          "java.util.concurrent.",
          "java.util.concurrent.locks.");

  private final JavaSources sources = new JavaSources(ROOT);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/architecture.md",
        "docs/decisions.md",
        "docs/first-server.md",
        "docs/guide.md",
        "docs/kernel-map.md",
        "docs/migrating-from-a-selector.md",
        "docs/seeing-inside.md",
        "docs/testing-wake-up-logic.md",
        "docs/writing-a-source.md"
      })
  void everyNameExists(String page) throws IOException {
    TreeSet<String> names = matches(NAME, Files.readString(ROOT.resolve(page)));
    assertThat(names).hasSizeGreaterThan(2);
    names.removeIf(this::exists);
    assertThat(names).as("unknown names in %s", page).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/architecture.md", "docs/decisions.md"})
  void everyClaimIsInTheCode(String page) throws IOException {
    TreeSet<String> claims = matches(CLAIM, Files.readString(ROOT.resolve(page)));
    for (Map.Entry<Path, String> file : sources.below("src/main/java").entrySet()) {
      claims.removeAll(matches(CLAIM, file.getValue()));
    }
    assertThat(claims).as("claims in %s that no code cites", page).isEmpty();
  }

  @Test
  void tellsWhatExistsFromWhatDoesNot() {
    assertThat(exists("Sleepers.wakeOne")).isTrue();
    assertThat(exists("Probe.Step")).isTrue();
    assertThat(exists("LockSupport")).isTrue();
    assertThat(exists("Sleepers.wakeTwo")).isFalse();
    assertThat(exists("Slumberers")).isFalse();
  }

  private boolean exists(String name) {
    return sources.declares(name) || ofJdk(name.replaceFirst("\\..*", ""));
  }

  private static boolean ofJdk(String type) {
    return JDK.stream()
        .anyMatch(
            prefix -> {
              try {
                Class.forName(prefix + type, false, DocsNamesTest.class.getClassLoader());
                return true;
              } catch (ClassNotFoundException e) {
                return false;
              }
            });
  }

  private static TreeSet<String> matches(Pattern pattern, String text) {
    TreeSet<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(matcher.groupCount()));
    }
    return found;
  }
}
