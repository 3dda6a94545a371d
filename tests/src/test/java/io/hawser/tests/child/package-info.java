/**
 * What runs in a forked JVM: forms clusters as told, does work, misbehaves on command, and reports how it ended and what
 * was left over.
 *
 * <p><em>Threading:</em> each type states its own rule.
 */
package io.hawser.tests.child;
