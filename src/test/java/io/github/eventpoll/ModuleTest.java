package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The library as a named module; all other tests see it on the class path. */
class ModuleTest {
  private static final String NAME = "io.github.eventpoll";
  private static final Path CLASSES =
      Path.of(System.getProperty("eventpoll.classes", "target/classes"));

  @Test
  void everyPackageButInternalIsExportedToAll() {
    ModuleDescriptor descriptor = ModuleFinder.of(CLASSES).find(NAME).orElseThrow().descriptor();
    Set<String> exported =
        descriptor.exports().stream()
            .filter(e -> !e.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    Set<String> expected =
        descriptor.packages().stream()
            .filter(p -> !p.startsWith(NAME + ".internal"))
            .collect(Collectors.toSet());
    assertThat(exported).isEqualTo(expected);
    assertThat(descriptor.opens()).isEmpty();
  }

  @Test
  void modularUsersNeedNoAnnotationModules() {
    // `static transitive` would make javac demand the module of every user.
    ModuleDescriptor descriptor = ModuleFinder.of(CLASSES).find(NAME).orElseThrow().descriptor();
    assertThat(descriptor.requires())
        .filteredOn(r -> r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
        .noneMatch(r -> r.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE));
  }

  @Test
  void resolvesAndLoadsWithItsRunTimeDependenciesAlone() throws ClassNotFoundException {
    List<Path> needed =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(p -> p.getFileName().toString().matches("(jctools-core|slf4j-api)-.*\\.jar"))
            .filter(Files::exists)
            .collect(Collectors.toList());
    needed.add(0, CLASSES);
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration()
            .resolve(ModuleFinder.of(needed.toArray(Path[]::new)), ModuleFinder.of(), Set.of(NAME));
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    ClassLoader loader = boot.defineModulesWithOneLoader(configuration, platform).findLoader(NAME);
    Class<?> type = Class.forName(NAME + ".EventPoll", true, loader);
    assertThat(type.getModule().getName()).isEqualTo(NAME);
    assertThat(type).isNotSameAs(EventPoll.class);
  }
}
