package io.github.eventpoll.stress;

import io.github.eventpoll.stress.JcstressRun.Profile;
import io.github.eventpoll.stress.JcstressRun.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Runs the stress tests of the memory-ordering claims and exits non-zero unless all of this holds:
 * every claim of docs/memory-ordering.md has an {@code Actual}; every test ran; no {@code Model} or
 * {@code Actual} showed a forbidden outcome; every twin that x86 can show as broken did break.
 *
 * <p>Usage: {@code Gate [--thorough] [CLAIM...]}. Without {@code --thorough} the models, which
 * touch no code of ours, are left out. The figures go to {@code target/jcstress-table.md}.
 */
public final class Gate {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final Path basedir = Path.of(System.getProperty("eventpoll.basedir", "."));
  private final Path builddir =
      Path.of(System.getProperty("eventpoll.builddir", basedir.resolve("target").toString()));
  private final int cpus = Runtime.getRuntime().availableProcessors();
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Profile profile;
  private final Set<String> claims;

  private Gate(boolean thorough, Set<String> claims) {
    this.profile = thorough ? Profile.THOROUGH : Profile.GATE;
    this.claims = claims;
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    Set<String> claims = new TreeSet<>(Arrays.asList(args));
    boolean thorough = claims.remove("--thorough");
    if (claims.stream().anyMatch(c -> !c.matches("MO-[A-Z]+-\\d+"))) {
      System.err.println("Usage: Gate [--thorough] [CLAIM...], a claim being an id of the docs");
      System.exit(USAGE);
    }
    System.exit(new Gate(thorough, claims).run() ? 0 : FAILED);
  }

  private boolean run() throws IOException, InterruptedException {
    final long start = System.nanoTime();
    List<ClaimCase> all = ClaimCases.all(problems);
    ClaimCases.check(all, basedir, cpus, problems);
    List<ClaimCase> selected = all.stream().filter(this::isSelected).toList();
    if (selected.isEmpty()) {
      problems.add("no test to run" + (claims.isEmpty() ? "" : " for " + claims));
    }
    Map<ClaimCase, Tally> tallies = new LinkedHashMap<>();
    if (problems.isEmpty()) {
      runAll(selected, tallies);
      judge(tallies);
      String table = table(tallies);
      Files.writeString(builddir.resolve("jcstress-table.md"), table);
      if (profile == Profile.THOROUGH) {
        System.out.println(table);
      }
    }
    long seconds = (System.nanoTime() - start) / 1_000_000_000L;
    Set<String> ids = new HashSet<>();
    selected.forEach(t -> ids.addAll(t.ids()));
    problems.forEach(p -> System.out.println("memory ordering: " + p));
    System.out.printf(
        "memory ordering: %d claims, %d tests run, %d problems, %d s (%s profile)%n",
        ids.size(), tallies.size(), problems.size(), seconds, profile.name());
    return problems.isEmpty();
  }

  private boolean isSelected(ClaimCase test) {
    return (profile == Profile.THOROUGH || !test.isModel())
        && (claims.isEmpty() || test.ids().stream().anyMatch(claims::contains));
  }

  private void runAll(List<ClaimCase> tests, Map<ClaimCase, Tally> tallies)
      throws IOException, InterruptedException {
    JcstressRun first = new JcstressRun(builddir.resolve("jcstress"));
    Map<String, Tally> found = first.run(tests, profile);
    for (ClaimCase test : tests) {
      Tally tally = found.get(test.test());
      if (tally == null || tally.samples == 0) {
        problems.add(test.label() + " did not run, see " + first.log());
      }
      if (tally != null) {
        tallies.put(test, tally);
      }
    }
    List<ClaimCase> silent = tallies.keySet().stream().filter(t -> isSilent(t, tallies)).toList();
    if (!silent.isEmpty() && problems.isEmpty()) {
      JcstressRun second = new JcstressRun(builddir.resolve("jcstress-again"));
      Map<String, Tally> again = second.run(silent, Profile.AGAIN);
      for (ClaimCase test : silent) {
        notes.add(test.label() + " was silent in the first run and ran again for longer.");
        tallies.put(test, again.getOrDefault(test.test(), tallies.get(test)));
      }
    }
  }

  private static boolean isSilent(ClaimCase test, Map<ClaimCase, Tally> tallies) {
    return test.mustFail() && tallies.get(test).interesting == 0;
  }

  private void judge(Map<ClaimCase, Tally> tallies) {
    tallies.forEach(
        (test, tally) -> {
          for (String error : tally.errors) {
            problems.add(test.label() + " " + test.ids() + ": " + error);
          }
          if (tally.forbidden > 0) {
            problems.add(
                "%s %s showed a forbidden or unlisted outcome %d times in %d samples"
                    .formatted(test.label(), test.ids(), tally.forbidden, tally.samples));
          }
          if (isSilent(test, tallies)) {
            problems.add(
                "%s %s should have broken and did not in %d samples: the run proves nothing"
                    .formatted(test.label(), test.ids(), tally.samples));
          }
        });
  }

  private String table(Map<ClaimCase, Tally> tallies) {
    StringBuilder out = new StringBuilder(1024);
    out.append("# Stress tests of the memory-ordering claims\n\n");
    out.append(
        "JDK %s, %s, %d CPUs (%s), %s profile, %s. Broken: samples with the forbidden outcome.%n%n"
            .formatted(
                System.getProperty("java.version"),
                System.getProperty("os.arch"),
                cpus,
                processor(),
                profile.name(),
                LocalDate.now(ZoneOffset.UTC)));
    out.append("| claim | test | configurations | samples | broken | expected |\n");
    out.append("|---|---|---:|---:|---:|---|\n");
    tallies.forEach(
        (test, tally) ->
            out.append(
                "| %s | `%s` | %d | %d | %d | %s |%n"
                    .formatted(
                        String.join(", ", test.ids()),
                        test.label(),
                        tally.configurations,
                        tally.samples,
                        test.isTwin() ? tally.interesting : tally.forbidden,
                        expectation(test))));
    notes.forEach(n -> out.append('\n').append(n).append('\n'));
    return out.toString();
  }

  /** What the operating system calls the processor. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(l -> l.startsWith("model name"))
          .findFirst()
          .map(l -> l.substring(l.indexOf(':') + 2))
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String expectation(ClaimCase test) {
    if (!test.isTwin()) {
      return "0";
    }
    return test.visible() ? "more than 0" : "not visible on x86";
  }
}
