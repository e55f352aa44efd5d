package io.github.eventpoll.kernel;

import java.util.List;

/** A program in the kernel, and then in the library with polls of some make. */
final class Trial {
  private final Script script;
  private final List<Step> kernel;

  Trial(Script script) {
    this.script = script;
    this.kernel = Comparison.transcript(script, new KernelWorld());
  }

  /** What the kernel made of it. */
  List<Step> kernel() {
    return kernel;
  }

  /** Whether the library comes to anything else that is not documented. */
  boolean differs(Variant variant) {
    return Comparison.firstDifference(kernel, library(variant)) >= 0;
  }

  private List<Step> library(Variant variant) {
    return Comparison.transcript(script, new LibraryWorld(variant.polls()));
  }

  /** Both transcripts of the smallest program that differs too, and that program as Java. */
  static String explain(Script script, Variant variant) {
    Script least = Shrinker.shrink(script, smaller -> new Trial(smaller).differs(variant));
    Trial trial = new Trial(least);
    List<Step> library = trial.library(variant);
    int first = Comparison.firstDifference(trial.kernel, library);
    return "polls: "
        + variant
        + "\n"
        + (first < 0 ? "(not at every run)\n" : "")
        + Comparison.report(trial.kernel, library, first)
        + "\n"
        + JavaText.of(least, variant)
        + "\nfor the corpus: "
        + least.text()
        + "\n";
  }
}
