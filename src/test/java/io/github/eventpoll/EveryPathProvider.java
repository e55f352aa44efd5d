package io.github.eventpoll;

import io.github.eventpoll.Polls.Combination;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.BeforeClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.IncompleteExecutionException;

/** What stands behind {@link EveryPath}. */
final class EveryPathProvider implements ClassTemplateInvocationContextProvider {
  @Override
  public boolean supportsClassTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
      ExtensionContext context) {
    return Combination.chosen().stream().map(Invocation::new);
  }

  private static final class Invocation implements ClassTemplateInvocationContext {
    private final Combination combination;

    Invocation(Combination combination) {
      this.combination = combination;
    }

    @Override
    public String getDisplayName(int index) {
      return combination.toString();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(
          (BeforeClassTemplateInvocationCallback) context -> Polls.use(combination),
          (AfterClassTemplateInvocationCallback) context -> Polls.use(null),
          new Naming(combination));
    }
  }

  /** Puts the combination's name into failures: reports of the build show a number only. */
  private static final class Naming
      implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private final Combination combination;

    Naming(Combination combination) {
      this.combination = combination;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
        throws Throwable {
      throw named(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown)
        throws Throwable {
      throw named(thrown);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable thrown)
        throws Throwable {
      throw named(thrown);
    }

    private Throwable named(Throwable thrown) {
      return thrown instanceof IncompleteExecutionException
          ? thrown // an assumption that does not hold
          : new AssertionError("[" + combination + "] " + thrown.getMessage(), thrown);
    }
  }
}
