/**
 * What the integration tests stand on besides the test kit: children that take commands and send events, a peer that speaks the protocol byte by byte, strangers,
 * and the command line. Knows nothing of the product but its wire protocol.
 *
 * <p><em>Threading:</em> each type states its own rule.
 */
package io.hawser.tests.harness;
