package io.github.eventpoll.examples;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request on its way through the server: from an HTTP thread through the request queue to a
 * worker, to the computing pool, and back to a worker. One thread at a time has it, and each of the
 * hand-overs makes what was written before visible to the next, so that its fields need no care.
 */
final class Job {
  private static final Pattern QUERY = Pattern.compile("n=(\\d{1,6})");

  private final HttpExchange exchange;
  private int status = 200;
  private String answer = "";

  Job(HttpExchange exchange) {
    this.exchange = exchange;
  }

  /** The question: how much is 1² + 2² + … + n²? */
  static String path(long n) {
    return "/job?n=" + n;
  }

  /** The text of the right answer. */
  static String text(long n, long sum) {
    return "sum of squares to " + n + ": " + sum + "\n";
  }

  /** The work, done the long way: clients check it by the formula. */
  static long sumOfSquares(long n) {
    long sum = 0;
    for (long i = 1; i <= n; i++) {
      sum += i * i;
    }
    return sum;
  }

  /** Finds the answer; whatever goes wrong becomes the answer. */
  void compute(LongUnaryOperator function) {
    String query = exchange.getRequestURI().getRawQuery();
    Matcher matcher = QUERY.matcher(query == null ? "" : query);
    if (!matcher.matches()) {
      refuse(400, "ask for /job?n=NUMBER, at most six digits\n");
      return;
    }
    try {
      long n = Long.parseLong(matcher.group(1));
      answer = text(n, function.applyAsLong(n));
    } catch (RuntimeException e) {
      refuse(500, e + "\n");
    }
  }

  void refuse(int newStatus, String why) {
    status = newStatus;
    answer = why;
  }

  /** Sends the answer; a client that has gone away gets none. */
  boolean reply() {
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    try {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      exchange.close();
    }
  }
}
