package io.github.eventpoll;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape of the house: which package may know which, and what no class of ours may use. */
class ArchitectureTest {
  private static final Path BASEDIR = Path.of(System.getProperty("eventpoll.basedir", "."));
  private static final Path CLASSES =
      Path.of(System.getProperty("eventpoll.classes", "target/classes"));
  private static final String ROOT = "io.github.eventpoll";
  private static final String INTERNAL = ROOT + ".internal..";

  /** Public classes that users are meant to extend, each with its reason beside it. */
  private static final Set<String> MEANT_TO_BE_EXTENDED = Set.of();

  private static final JavaClasses MAIN = new ClassFileImporter().importPath(CLASSES);

  @Test
  void internalKnowsNoOtherPackageOfOurs() {
    check(
        classes()
            .that()
            .resideInAPackage(INTERNAL)
            .should()
            .onlyDependOnClassesThat(notOursBut(INTERNAL)));
  }

  @Test
  void rootKnowsNoneOfItsUsers() {
    check(
        classes()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .onlyDependOnClassesThat(notOursBut(ROOT, INTERNAL)));
  }

  @Test
  void testkitMayMakeSources() {
    check(
        classes()
            .that()
            .resideInAPackage(ROOT + ".testkit..")
            .should()
            .onlyDependOnClassesThat(
                notOursBut(ROOT, INTERNAL, ROOT + ".testkit..", ROOT + ".source..")));
  }

  @Test
  void sourcesAndChannelsStandBesideEachOther() {
    for (String room : List.of("source", "nio")) {
      String own = ROOT + "." + room + "..";
      check(
          classes()
              .that()
              .resideInAPackage(own)
              .should()
              .onlyDependOnClassesThat(notOursBut(ROOT, INTERNAL, own)));
    }
  }

  @Test
  void examplesAndBenchmarksUseOnlyThePublicApi() {
    JavaClasses users = new ClassFileImporter().importPackages(ROOT + ".examples", ROOT + ".bench");
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage(INTERNAL)
        .allowEmptyShould(true)
        .check(users);
  }

  @Test
  void onlyTheAtomicQueuesOfJCTools() {
    // The others need sun.misc.Unsafe, which recent JDKs warn about or deny. MessagePassingQueue is
    // an interface.
    check(
        noClasses()
            .should()
            .dependOnClassesThat(
                resideInAPackage("org.jctools..")
                    .and(DescribedPredicate.not(resideInAPackage("org.jctools.queues.atomic..")))
                    .and(
                        describe(
                            "are not MessagePassingQueue",
                            c ->
                                !c.getName()
                                    .startsWith("org.jctools.queues.MessagePassingQueue")))));
  }

  @Test
  void noInternalsOfTheJdk() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("sun..", "jdk.internal..", "com.sun..")));
  }

  @Test
  void noMonitorsAndNoSleeps() throws IOException {
    // A monitor pins a virtual thread before JDK 24; a sleep in place of a handshake hides a lost
    // wake-up.
    check(methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED));
    check(noClasses().should().callMethod(Thread.class, "sleep", long.class));
    Pattern banned = Pattern.compile("\\bsynchronized\\b|\\bThread\\s*\\.\\s*sleep\\b");
    Pattern comment = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\\\n])*\"");
    try (Stream<Path> files = Files.walk(BASEDIR.resolve("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String code = comment.matcher(Files.readString(file)).replaceAll(" ");
        assertThat(banned.matcher(code).find()).as("monitor or sleep in %s", file).isFalse();
      }
    }
  }

  @Test
  void publicClassesAreFinal() {
    DescribedPredicate<JavaClass> closed =
        describe(
            "are not meant to be extended",
            c ->
                !c.isInterface()
                    && !c.isEnum()
                    && !c.isAssignableTo(Throwable.class)
                    && !c.getModifiers().contains(JavaModifier.ABSTRACT)
                    && !MEANT_TO_BE_EXTENDED.contains(c.getName()));
    check(
        classes()
            .that()
            .arePublic()
            .and()
            .resideOutsideOfPackage(INTERNAL)
            .and(closed)
            .should()
            .haveModifier(JavaModifier.FINAL));
  }

  @Test
  void guardsAreAnnotatedInPackagePrivateClassesOnly() {
    // javac warns every user who compiles against a class that carries it, for want of the
    // annotation's own class.
    String guardedBy = "com.google.errorprone.annotations.concurrent.GuardedBy";
    check(
        members()
            .that()
            .areAnnotatedWith(guardedBy)
            .should()
            .beDeclaredInClassesThat()
            .areNotPublic());
  }

  private static DescribedPredicate<JavaClass> notOursBut(String... allowed) {
    return DescribedPredicate.not(resideInAPackage(ROOT + ".."))
        .or(resideInAnyPackage(allowed))
        .as("lie outside of the project or in %s", List.of(allowed));
  }

  /** A package that does not exist yet breaks no rule. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(MAIN);
  }
}
