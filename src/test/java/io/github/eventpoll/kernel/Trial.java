package io.github.eventpoll.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
    return difference(variant) != null;
  }

  /** Both transcripts if they differ, else null. */
  @Nullable String difference(Variant variant) {
    List<Step> library = library(variant);
    int first = Comparison.firstDifference(kernel, library);
    return first < 0 ? null : Comparison.report(kernel, library, first);
  }

  private List<Step> library(Variant variant) {
    return Comparison.transcript(script, new LibraryWorld(variant.polls()));
  }

  /** The smallest program that differs too: both transcripts, and the program as Java. */
  static String explain(Script script, Variant variant) {
    Script least = Shrinker.shrink(script, smaller -> new Trial(smaller).differs(variant));
    String difference = new Trial(least).difference(variant);
    return "polls: "
        + variant
        + "\n"
        + (difference == null ? "(it does not differ every time)\n" : difference)
        + "\n"
        + JavaText.of(least, variant)
        + "\nfor the corpus: "
        + least.text()
        + "\n";
  }
}
