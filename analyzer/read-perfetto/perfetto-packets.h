/* SPDX-License-Identifier: MIT */
/* Goes through the packets of a Perfetto trace, and unpacks compressed packets. */
#ifndef RA_PERFETTO_PACKETS_H
#define RA_PERFETTO_PACKETS_H

#include "analyzer/protobuf/protobuf.h"
#include "format/error.h"

/* True if a file begins with a packet of a kind that Perfetto's tools write first. */
bool ra_perfetto_packets_probe(const void *bytes, size_t size);

/*
 * Calls `take` for each packet, in the file's order. A packet is valid only during its call. The
 * offset of an unpacked packet is that of the packet that contained it.
 *
 * @stop: tells where and why damage ended the reading; code 0: it did not.
 */
void ra_perfetto_packets_walk(const void *bytes, size_t size,
                              void (*take)(void *context, struct ra_protobuf packet), void *context,
                              struct rlog_error *stop);

#endif
