package io.github.eventpoll.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's Java text, enough of it understood to say whether {@code Type.member} exists. */
final class JavaSources {
  private static final List<String> ROOTS =
      List.of(
          "src/main/java",
          "src/test/java",
          "src/examples/java",
          "jcstress-tests/src/main/java",
          "benchmarks/src/main/java");
  private static final String TYPE = "(?:class|interface|enum|record)\\s+";
  private static final Pattern DECLARATION = Pattern.compile("\\b" + TYPE + "(\\w+)");
  private static final Pattern COMMENT_OR_STRING =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"");
  private static final Pattern PARENTS =
      Pattern.compile("\\b(?:extends|implements)\\s+([\\w.,<>?\\s]+?)\\s*\\{");

  private final Map<Path, String> texts = new TreeMap<>();

  /** The same without comments and strings, and by name of type what declares it. */
  private final Map<Path, String> codes = new TreeMap<>();

  private final Map<String, List<String>> declaring = new HashMap<>();
  private final Path root;

  JavaSources(Path root) {
    this.root = root;
    for (String dir : ROOTS) {
      read(root.resolve(dir));
    }
    texts.forEach((path, text) -> codes.put(path, code(text)));
    for (String code : codes.values()) {
      Matcher declaration = DECLARATION.matcher(code);
      Set<String> declared = new HashSet<>();
      while (declaration.find()) {
        if (declared.add(declaration.group(1))) {
          declaring.computeIfAbsent(declaration.group(1), t -> new ArrayList<>()).add(code);
        }
      }
    }
  }

  private void read(Path dir) {
    if (!Files.isDirectory(dir)) {
      return;
    }
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        texts.put(root.relativize(file), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Text of the files below one directory, by path from the root of the project. */
  Map<Path, String> below(String dir) {
    Map<Path, String> found = new TreeMap<>(texts);
    found.keySet().removeIf(p -> !p.startsWith(dir));
    return found;
  }

  /** Whether {@code Type}, {@code Type.member} or {@code Outer.Inner.member} is declared. */
  boolean declares(String name) {
    String[] parts = name.split("\\.");
    return declares(parts[0], parts.length > 1 ? parts[parts.length - 1] : null, new ArrayList<>())
        && (parts.length < 3 || declares(parts[0], parts[1], new ArrayList<>()));
  }

  private boolean declares(String type, String member, Collection<String> seen) {
    if (seen.contains(type)) {
      return false;
    }
    seen.add(type);
    for (String code : declaring.getOrDefault(type, List.of())) {
      if (member == null || (code.contains(member) && memberPattern(member).matcher(code).find())) {
        return true;
      }
      // A contract suite: the thin subclass inherits its tests.
      Matcher parents = PARENTS.matcher(code);
      while (parents.find()) {
        for (String parent : parents.group(1).replaceAll("<[^>]*>", "").split("[\\s,.]+")) {
          if (!parent.isEmpty() && declares(parent, member, seen)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Pattern memberPattern(String member) {
    String type = "\\b" + TYPE + member + "\\b";
    String methodOrField =
        "(?<!\\b(?:return|new|throw|else|case|assert|yield|do))[\\w>\\]?]\\s+"
            + member
            + "\\s*[(=;,]";
    String enumConstant = "(?m)^\\s+" + member + "(?:\\([^;{]*\\))?\\s*[,;]";
    return Pattern.compile(type + "|" + methodOrField + "|" + enumConstant);
  }

  /** The text without comments and string literals. */
  static String code(String text) {
    return COMMENT_OR_STRING.matcher(text).replaceAll(" ");
  }
}
