package io.github.eventpoll.kernel;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

/** Runs one program in both worlds and compares what they say. */
final class Comparison {
  private Comparison() {}

  /**
   * Fails with both transcripts, side by side, unless they are the same or differ as documented.
   * With {@code -Dkernel.print=true} they are printed in any case.
   */
  static void compare(Program program) {
    compare(program, new LibraryWorld());
  }

  /** The same with polls of a certain make. */
  static void compare(Variant variant, Program program) {
    compare(program, new LibraryWorld(variant.polls()));
  }

  private static void compare(Program program, LibraryWorld world) {
    requireLinux();
    List<Step> kernel = transcript(program, new KernelWorld());
    List<Step> library = transcript(program, world);
    if (Boolean.getBoolean("kernel.print")) {
      System.out.println(report(kernel, library, -1));
    }
    int first = firstDifference(kernel, library);
    if (first >= 0) {
      fail(report(kernel, library, first));
    }
  }

  static void requireLinux() {
    String os = System.getProperty("os.name");
    assumeTrue(os.equals("Linux"), "compares with Linux's epoll, and this system is " + os);
  }

  static List<Step> transcript(Program program, World world) {
    try (Recorder recorder = new Recorder(world)) {
      program.run(recorder);
      return recorder.steps();
    }
  }

  /**
   * The index of the first step that is neither the same nor a documented deviation; −1 if none.
   */
  static int firstDifference(List<Step> kernel, List<Step> library) {
    int common = Math.min(kernel.size(), library.size());
    for (int i = 0; i < common; i++) {
      if (!Deviations.accept(kernel.get(i), library.get(i))) {
        return i;
      }
    }
    return kernel.size() == library.size() ? -1 : common;
  }

  static String report(List<Step> kernel, List<Step> library, int first) {
    StringBuilder text =
        new StringBuilder(first < 0 ? "" : "kernel and library differ; first at >>>\n");
    for (int i = 0; i < Math.max(kernel.size(), library.size()); i++) {
      String theirs = i < kernel.size() ? kernel.get(i).toString() : "(nothing)";
      String ours = i < library.size() ? library.get(i).toString() : "(nothing)";
      text.append(i == first ? ">>> " : "    ").append(theirs).append('\n');
      if (!ours.equals(theirs)) {
        text.append("        library: ").append(ours).append('\n');
      }
    }
    return text.toString();
  }
}
