/**
 * The gate over the memory-ordering claims: which tests there are, one run of jcstress, and the
 * judgement. The tests themselves lie beside it, in the packages of the classes they stress.
 */
package io.github.eventpoll.stress;
