package io.github.eventpoll.bench;

import java.util.Arrays;
import java.util.Locale;

/** A mean over threads with its standard error, as the tools of the kernel print it. */
record Mean(double value, double errorPercent) {
  static Mean of(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double variance = values.length > 1 ? squares / (values.length - 1) : 0;
    double error = Math.sqrt(variance / values.length);
    return new Mean(mean, mean == 0 ? 0 : 100 * error / mean);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  /** The error as those tools write it. */
  String spread() {
    return String.format(Locale.ROOT, "(+- %.2f%%)", errorPercent);
  }
}
