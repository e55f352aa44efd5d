/**
 * The seams between the engine, the sources, the channels and the test kit. Not exported; knows
 * none of them.
 */
package io.github.eventpoll.internal;
