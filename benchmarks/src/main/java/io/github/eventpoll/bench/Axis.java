package io.github.eventpoll.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One axis of a chart: where a value stands on it, between 0 and 1, and what is written there. */
final class Axis {
  /** What is written where. */
  record Tick(double at, String label) {}

  private enum Scale {
    /** From 0. */
    LINEAR,
    /** Powers of ten. */
    LOG,
    /** Powers of two. */
    DOUBLING,
    /** Percentiles: each nine takes as much room as the one before. */
    NINES
  }

  private static final double MANY_NINES = 99.999;

  private final String label;
  private final Scale scale;
  private double low = Double.MAX_VALUE;
  private double high = -Double.MAX_VALUE;

  private Axis(String label, Scale scale) {
    this.label = label;
    this.scale = scale;
  }

  static Axis linear(String label) {
    return new Axis(label, Scale.LINEAR);
  }

  static Axis log(String label) {
    return new Axis(label, Scale.LOG);
  }

  static Axis doubling(String label) {
    return new Axis(label, Scale.DOUBLING);
  }

  static Axis percentiles(String label) {
    return new Axis(label, Scale.NINES);
  }

  String label() {
    return label;
  }

  boolean holds(double value) {
    return Double.isFinite(value) && (value > 0 || scale == Scale.LINEAR || scale == Scale.NINES);
  }

  /** Makes room for a value. */
  void include(double value) {
    if (holds(value)) {
      low = Math.min(low, position(value));
      high = Math.max(high, position(value));
    }
  }

  double place(double value) {
    double from = from();
    double to = to();
    return to == from ? 0.5 : Math.max(0, Math.min(1, (position(value) - from) / (to - from)));
  }

  private double from() {
    return switch (scale) {
      case LINEAR, NINES -> 0;
      case LOG -> Math.floor(low + 1e-9);
      case DOUBLING -> low;
    };
  }

  private double to() {
    return switch (scale) {
      case LINEAR -> step() * Math.ceil(high / step() - 1e-9);
      case LOG -> Math.max(from() + 1, Math.ceil(high - 1e-9));
      case NINES, DOUBLING -> high;
    };
  }

  private double position(double value) {
    return switch (scale) {
      case LINEAR -> value;
      case LOG -> Math.log10(value);
      case DOUBLING -> Math.log(value) / Math.log(2);
      case NINES -> -Math.log10(1 - Math.min(value, MANY_NINES) / 100);
    };
  }

  /** 1, 2 or 5 times a power of ten, so that there are about five ticks. */
  private double step() {
    double rough = high <= 0 ? 1 : high / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  }

  List<Tick> ticks() {
    List<Tick> ticks = new ArrayList<>();
    switch (scale) {
      case LINEAR -> {
        for (int i = 0; i * step() <= to() * (1 + 1e-9); i++) {
          ticks.add(new Tick(i * step(), brief(i * step())));
        }
      }
      case LOG -> {
        for (double at = from(); at <= to(); at++) {
          ticks.add(new Tick(Math.pow(10, at), brief(Math.pow(10, at))));
        }
      }
      case DOUBLING -> {
        for (double at = Math.ceil(from()); at <= to(); at++) {
          ticks.add(new Tick(Math.pow(2, at), brief(Math.pow(2, at))));
        }
      }
      case NINES -> {
        for (double at : new double[] {0, 90, 99, 99.9, 99.99, MANY_NINES}) {
          if (position(at) <= high + 1e-9) {
            ticks.add(new Tick(at, at == 0 ? "best" : trimmed(at) + " %"));
          }
        }
      }
    }
    return ticks;
  }

  /** With k and M for thousands and millions. */
  private static String brief(double value) {
    if (value >= 1e6) {
      return trimmed(value / 1e6) + " M";
    }
    return value >= 1e3 ? trimmed(value / 1e3) + " k" : trimmed(value);
  }

  private static String trimmed(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceFirst("\\.?0+$", "");
  }
}
