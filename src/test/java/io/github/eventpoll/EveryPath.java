package io.github.eventpoll;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class once with each of the 12 combinations of lock and filters that a poll may have;
 * its polls must come from {@link Polls}. The system property {@code eventpoll.paths} picks some of
 * them by name, separated by commas: {@code spin,lock-free+mask+notified}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(EveryPathProvider.class)
public @interface EveryPath {}
