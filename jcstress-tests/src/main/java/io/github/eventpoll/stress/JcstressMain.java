package io.github.eventpoll.stress;

import java.util.SortedSet;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.vm.VMSupport;

/**
 * jcstress with each test in one JVM for each set of flags. Where a JVM has biased locking,
 * jcstress runs every test with and without it, which doubles the time and shows nothing: no lock
 * of ours is a monitor, and no supported JDK has it on unless asked.
 */
final class JcstressMain extends JCStress {
  private JcstressMain(Options options) {
    super(options);
  }

  /** Takes the options of jcstress. */
  public static void main(String[] args) throws Exception {
    Options options = new Options(args);
    if (!options.parse()) {
      System.exit(1);
    }
    new JcstressMain(options).run();
  }

  /** Called between the probing of the configurations and their first use. */
  @Override
  public SortedSet<String> getTests() {
    VMSupport.getAvailableVMConfigs().removeIf(c -> c.args().contains("-XX:+UseBiasedLocking"));
    return super.getTests();
  }
}
