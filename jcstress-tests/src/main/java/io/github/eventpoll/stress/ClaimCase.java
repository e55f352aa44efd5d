package io.github.eventpoll.stress;

import java.util.List;

/**
 * One jcstress test as the gate sees it.
 *
 * @param test name under which jcstress lists it
 * @param outer simple name of the class that stands for the claim
 * @param role simple name of the nested class: Model, Actual... or Twin...
 * @param ids claims it checks
 * @param visible whether a twin must fail on this machine
 * @param actors threads it needs at a time
 */
record ClaimCase(
    String test, String outer, String role, List<String> ids, boolean visible, int actors) {

  boolean isTwin() {
    return role.startsWith("Twin");
  }

  boolean isActual() {
    return role.startsWith("Actual");
  }

  boolean isModel() {
    return role.equals("Model");
  }

  boolean mustFail() {
    return isTwin() && visible;
  }

  String label() {
    return outer + "." + role;
  }
}
