package io.github.eventpoll.stress;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the claims of docs/memory-ordering.md that a stress class checks.
 *
 * <p>It stands on the outer class, whose nested tests are {@code Model} (the bare shape), {@code
 * Actual...} (the shipped classes, once for each variant that the claim concerns) and one or more
 * {@code Twin...} (weakened on purpose). On a single twin it overrules the outer class.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Claim {
  /** Ids as in the headings of docs/memory-ordering.md. */
  String[] id();

  /**
   * Whether x86 can show what the twin breaks. A visible twin that shows nothing fails the gate: it
   * means that the harness has stopped colliding, not that the code is right.
   */
  boolean visible() default true;
}
