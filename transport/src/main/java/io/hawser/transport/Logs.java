package io.hawser.transport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loggers of this module, one for each concern. */
final class Logs {
    static final Logger FORMATION = LoggerFactory.getLogger("io.hawser.formation");
    static final Logger LINK = LoggerFactory.getLogger("io.hawser.link");
    static final Logger STRANGER = LoggerFactory.getLogger("io.hawser.stranger");
    static final Logger HEALTH = LoggerFactory.getLogger("io.hawser.health");

    private Logs() {}
}
