package io.github.eventpoll.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * What there is to run, and what is wrong with it before anything runs. jcstress itself leaves a
 * test out without a word and exits 0 (too few CPUs, no annotation processor, no match).
 */
final class ClaimCases {
  private static final Pattern SECTION = Pattern.compile("(?m)^## (MO-[A-Z]+-\\d+)\\b");

  private ClaimCases() {}

  /** All tests that the annotation processor found, in a fixed order. */
  static List<ClaimCase> all(List<String> problems) {
    List<ClaimCase> tests = new ArrayList<>();
    if (ClaimCases.class.getResource(TestList.LIST) == null) {
      problems.add("the annotation processor of jcstress found no test");
      return tests;
    }
    for (String name : TestList.tests()) {
      ClaimCase test = describe(TestList.getInfo(name), problems);
      if (test != null) {
        tests.add(test);
      }
    }
    tests.sort(Comparator.comparing(ClaimCase::label));
    return tests;
  }

  private static ClaimCase describe(TestInfo info, List<String> problems) {
    try {
      // Not initialized: a test class may want a JVM of its own.
      ClassLoader loader = ClaimCases.class.getClassLoader();
      Class<?> nested = Class.forName(info.binaryName(), false, loader);
      Class<?> outer = nested.getEnclosingClass();
      if (outer == null || !outer.isAnnotationPresent(Claim.class)) {
        problems.add(info.name() + " is not nested in a class with @Claim");
        return null;
      }
      Claim claim = nested.getAnnotation(Claim.class);
      if (claim == null) {
        claim = outer.getAnnotation(Claim.class);
      }
      return new ClaimCase(
          info.name(),
          outer.getSimpleName(),
          nested.getSimpleName(),
          List.of(claim.id()),
          claim.visible(),
          info.threads());
    } catch (ClassNotFoundException e) {
      problems.add(info.name() + " is listed, its class is missing");
      return null;
    }
  }

  /** Structure: every claim class is complete, every claim of the docs has an Actual. */
  static void check(List<ClaimCase> tests, Path basedir, int cpus, List<String> problems)
      throws IOException {
    Map<String, Set<String>> roles = new TreeMap<>();
    Set<String> proven = new TreeSet<>();
    for (ClaimCase t : tests) {
      roles.computeIfAbsent(t.outer(), k -> new TreeSet<>()).add(t.role());
      if (t.actors() > cpus) {
        problems.add(t.label() + " needs " + t.actors() + " CPUs, there are " + cpus);
      }
      if (t.isActual()) {
        proven.addAll(t.ids());
      }
    }
    roles.forEach((outer, has) -> checkRoles(outer, has, problems));
    Path sources = basedir.resolve("jcstress-tests/src/main/java");
    for (String name : sourceClasses(sources)) {
      if (!roles.containsKey(name)) {
        problems.add(name + " lies in jcstress-tests, jcstress does not list it");
      }
    }
    Set<String> documented = documentedClaims(basedir.resolve("docs/memory-ordering.md"));
    if (documented.isEmpty()) {
      problems.add("docs/memory-ordering.md has no section for a claim");
    }
    for (String id : documented) {
      if (!proven.contains(id)) {
        problems.add("claim " + id + " has no Actual test");
      }
    }
  }

  private static void checkRoles(String outer, Set<String> roles, List<String> problems) {
    for (String needed : List.of("Model", "Actual", "Twin")) {
      if (roles.stream().noneMatch(r -> r.startsWith(needed))) {
        problems.add(outer + " has no " + needed);
      }
    }
    for (String role : roles) {
      if (!role.equals("Model") && !role.startsWith("Actual") && !role.startsWith("Twin")) {
        problems.add(outer + "." + role + " is neither Model nor Actual... nor Twin...");
      }
    }
  }

  private static Set<String> sourceClasses(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(p -> p.getFileName().toString())
          .filter(n -> n.endsWith("Stress.java"))
          .map(n -> n.substring(0, n.length() - ".java".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Claims that have a section without {@code Waived:}. */
  private static Set<String> documentedClaims(Path docs) throws IOException {
    Set<String> ids = new LinkedHashSet<>();
    if (!Files.exists(docs)) {
      return ids;
    }
    for (String section : Files.readString(docs).split("(?m)(?=^## )")) {
      Matcher m = SECTION.matcher(section);
      if (m.find() && !section.contains("Waived:")) {
        ids.add(m.group(1));
      }
    }
    return ids;
  }
}
