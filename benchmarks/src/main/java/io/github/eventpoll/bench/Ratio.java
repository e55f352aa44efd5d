package io.github.eventpoll.bench;

import java.util.Arrays;
import java.util.Random;

/**
 * The median of paired ratios, with a confidence interval of 95 % by bootstrap. Each pair is
 * measured back to back, so that a noisy neighbour hits both sides.
 */
record Ratio(double median, double low, double high) {
  private static final int RESAMPLES = 2000;

  static Ratio of(double[] ratios) {
    Random random = new Random(1);
    double[] medians = new double[RESAMPLES];
    double[] sample = new double[ratios.length];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int j = 0; j < sample.length; j++) {
        sample[j] = ratios[random.nextInt(ratios.length)];
      }
      medians[i] = medianOf(sample);
    }
    Arrays.sort(medians);
    return new Ratio(
        medianOf(ratios), medians[RESAMPLES / 40], medians[RESAMPLES - 1 - RESAMPLES / 40]);
  }

  static double medianOf(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
