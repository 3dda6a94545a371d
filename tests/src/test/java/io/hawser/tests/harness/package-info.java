/**
 * What the integration tests stand on: real JVMs that can be killed, frozen and looked into, a proxy that spoils
 * connections, a peer that speaks the protocol byte by byte, strangers, and free ports. Knows nothing of the product but
 * its wire protocol.
 *
 * <p><em>Threading:</em> each type states its own rule.
 */
package io.hawser.tests.harness;
