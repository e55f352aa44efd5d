package io.github.eventpoll.examples.first;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.testkit.ScriptedSource;
import io.github.eventpoll.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The news server without a network and without waiting. */
class NewsServerTest {
  // snippet: scene
  private final VirtualTime time = VirtualTime.create();
  private final EventPoll poll = time.poll();
  private final ScriptedSource listener = ScriptedSource.named("listener");
  private final List<String> heard = new ArrayList<>();
  private final NewsServer server = new NewsServer(poll, time.timer(), listener, this::accept);

  private Optional<NewsServer.Guest> accept() {
    listener.notReady(); // nobody else stands at the door
    return Optional.of(heard::add);
  }

  private void somebodyConnects() throws IOException {
    listener.ready(Events.IN);
    server.serveNow();
  }

  // end snippet

  @AfterEach
  void close() {
    poll.close();
  }

  // snippet: time
  @Test
  void saysThatThereIsNothingAfterTenSecondsAndNotBefore() throws IOException {
    somebodyConnects();
    time.advance(Duration.ofSeconds(9)); // no real second passes
    server.serveNow();
    assertThat(heard).isEmpty();
    time.advance(Duration.ofSeconds(1));
    server.serveNow();
    assertThat(heard).containsExactly("no news");
  }

  // end snippet

  // snippet: tests
  @Test
  void tellsTheNewsInTheirOrder() throws IOException {
    somebodyConnects();
    server.publish("tea is ready");
    server.publish("milk is out");
    server.serveNow();
    assertThat(heard).containsExactly("tea is ready", "milk is out");
  }

  @Test
  void theTenSecondsBeginAgainWithEveryNews() throws IOException {
    somebodyConnects();
    time.advance(Duration.ofSeconds(9));
    server.publish("tea is ready");
    server.serveNow();
    time.advance(Duration.ofSeconds(9));
    server.serveNow();
    assertThat(heard).containsExactly("tea is ready");
  }

  @Test
  void tellsTheLastNewsBeforeItEnds() throws IOException {
    somebodyConnects();
    server.publish("good night");
    server.end();
    while (!server.hasEnded()) {
      server.serveNow();
    }
    assertThat(heard).containsExactly("good night");
  }
  // end snippet
}
