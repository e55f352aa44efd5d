package io.github.eventpoll.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java in the pages is the text of files that are compiled and that a test runs. */
class SnippetsTest {
  private static final String EXAMPLE = "src/examples/java/p/Tea.java";
  private static final String TEST = "src/test/java/p/TeaTest.java";
  private static final String PAGE =
      """
      # Tea

      <!-- snippet: src/examples/java/p/Tea.java#pour -->
      ```java
      if (hot) {
        pour();
      }
      ```

      <!-- not compiled: it is wrong -->
      ```java
      pour(null);
      ```

      ```
      no Java
      ```
      """;

  @TempDir Path sample;

  @BeforeEach
  void writeSample() throws IOException {
    write("README.md", "");
    write("docs/tea.md", PAGE);
    write(
        EXAMPLE,
        """
        class Tea {
          void make() {
            // snippet: pour
            if (hot) {
              pour();
            }
            // end snippet
          }
        }
        """);
    write(TEST, "class TeaTest {\n  @Test void itIsMade() { new Tea().make(); }\n}\n");
  }

  @Test
  void everyBlockOfThisProjectIsCompiledAndTested() throws IOException {
    Path root = Path.of(System.getProperty("eventpoll.basedir", "."));
    assertThat(Snippets.brokenIn(root)).isEmpty();
  }

  @Test
  void acceptsACompleteSample() throws IOException {
    assertThat(Snippets.brokenIn(sample)).isEmpty();
  }

  @Test
  void reportsAChangedLine() throws IOException {
    replace(EXAMPLE, "    pour();", "    pour(); // slowly");
    assertThat(Snippets.brokenIn(sample))
        .containsExactly(
            "docs/tea.md:4 differs from src/examples/java/p/Tea.java#pour:\n"
                + "if (hot) {\n  pour(); // slowly\n}");
  }

  @Test
  void reportsABlockWithoutAnOrigin() throws IOException {
    write("README.md", "```java\nfoo();\n```\n");
    replace("docs/tea.md", ": it is wrong", ":");
    assertThat(Snippets.brokenIn(sample))
        .containsExactly(
            "README.md:1 has no line '<!-- snippet: FILE#NAME -->' above it",
            "docs/tea.md:11 has no line '<!-- snippet: FILE#NAME -->' above it");
  }

  @Test
  void looksIntoTheJavadocOfPackages() throws IOException {
    String origin = "<!-- snippet: src/examples/java/p/Tea.java#pour -->";
    String page = "/**\n * " + origin + "\n *\n * <pre>{@code\n * if (hot) {\n *   pour();\n * }\n";
    write("src/main/java/p/package-info.java", page + " * }</pre>\n */\npackage p;\n");
    assertThat(Snippets.brokenIn(sample)).isEmpty();

    replace("src/main/java/p/package-info.java", "pour();", "spill();");
    assertThat(Snippets.brokenIn(sample))
        .singleElement()
        .asString()
        .startsWith("src/main/java/p/package-info.java:4 differs from " + EXAMPLE + "#pour");
  }

  @Test
  void reportsARegionThatIsMissingOrThereTwice() throws IOException {
    replace("docs/tea.md", "#pour", "#brew");
    assertThat(Snippets.brokenIn(sample))
        .containsExactly("docs/tea.md:4: src/examples/java/p/Tea.java has 0 snippets 'brew'");

    replace("docs/tea.md", "#brew", "#pour");
    replace(EXAMPLE, "class Tea {", "class Tea {\n  // snippet: pour\n  // end snippet");
    assertThat(Snippets.brokenIn(sample))
        .containsExactly("docs/tea.md:4: src/examples/java/p/Tea.java has 2 snippets 'pour'");
  }

  @Test
  void reportsAFileThatIsMissingOrThatNoTestNames() throws IOException {
    replace(TEST, "new Tea().make();", "/* new Tea().make() */");
    assertThat(Snippets.brokenIn(sample)).containsExactly("docs/tea.md:4: no test names Tea");

    replace("docs/tea.md", "/Tea.java", "/Coffee.java");
    assertThat(Snippets.brokenIn(sample))
        .containsExactly(
            "docs/tea.md:4 names src/examples/java/p/Coffee.java, which does not exist");
  }

  private void write(String file, String text) throws IOException {
    Path path = sample.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void replace(String file, String from, String to) throws IOException {
    Path path = sample.resolve(file);
    String text = Files.readString(path);
    assertThat(text).contains(from);
    Files.writeString(path, text.replace(from, to));
  }
}
