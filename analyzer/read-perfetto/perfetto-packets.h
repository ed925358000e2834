/* SPDX-License-Identifier: MIT */
/* Walks through the packets of a Perfetto trace, and unpacks compressed ones. */
#ifndef RA_PERFETTO_PACKETS_H
#define RA_PERFETTO_PACKETS_H

#include "analyzer/protobuf/protobuf.h"
#include "format/error.h"

/* True if a file begins with a packet of one of the sorts that Perfetto's tools write first. */
bool ra_perfetto_packets_probe(const void *bytes, size_t size);

/*
 * Calls `take` for each packet, in the file's order. A packet is valid during its call only.
 * Offsets in unpacked packets are those of the packet that contained them.
 *
 * @stop: set to where damage ended the reading; code 0: nothing did.
 */
void ra_perfetto_packets_walk(const void *bytes, size_t size,
                              void (*take)(void *context, struct ra_protobuf packet), void *context,
                              struct rlog_error *stop);

#endif
