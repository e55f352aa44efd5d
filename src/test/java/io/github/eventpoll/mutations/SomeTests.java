package io.github.eventpoll.mutations;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests that are named, and prints the first failure as the last line. */
final class SomeTests {
  static final int FAILED = 10;
  private static final int NOTHING_RAN = 11;

  private SomeTests() {}

  public static void main(String[] tests) throws ClassNotFoundException {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (String test : tests) {
      selectors.addAll(selectors(test));
    }
    LauncherDiscoveryRequest chosen = request.selectors(selectors).build();
    Launcher launcher = LauncherFactory.create();
    Outcome outcome = new Outcome();
    launcher.execute(chosen, outcome);
    System.exit(outcome.passed == 0 ? NOTHING_RAN : 0);
  }

  /** A class, or methods of one with a name, whatever their parameters. */
  private static List<DiscoverySelector> selectors(String test) throws ClassNotFoundException {
    String[] parts = test.split("#");
    Class<?> type = Class.forName(parts[0]);
    if (parts.length == 1) {
      return List.of(DiscoverySelectors.selectClass(type));
    }
    List<DiscoverySelector> found = new ArrayList<>();
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(parts[1])) {
        found.add(DiscoverySelectors.selectMethod(type, method));
      }
    }
    return found;
  }

  private static final class Outcome implements TestExecutionListener {
    int passed;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == Status.SUCCESSFUL && test.isTest()) {
        passed++;
      }
      if (result.getStatus() == Status.FAILED) {
        result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(System.out));
        System.out.println(test.getLegacyReportingName() + " fails");
        System.out.flush();
        Runtime.getRuntime().halt(FAILED); // one is enough, and the next one might hang
      }
    }
  }
}
