/* SPDX-License-Identifier: MIT */
/* The packets of a trace of Perfetto, unpacked. */
#ifndef RA_PERFETTO_PACKETS_H
#define RA_PERFETTO_PACKETS_H

#include "analyzer/protobuf/protobuf.h"
#include "format/error.h"

/* True if a file begins with packets: of these sorts that Perfetto's tools begin a file with. */
bool ra_perfetto_packets_probe(const void *bytes, size_t size);

/*
 * Calls for each packet, in the file's order. A packet is there for the time of its call; offsets
 * in packed ones are those of what holds them.
 *
 * @stop: told where damage ends the reading; code 0: it did not.
 */
void ra_perfetto_packets_walk(const void *bytes, size_t size,
                              void (*take)(void *context, struct ra_protobuf packet), void *context,
                              struct rlog_error *stop);

#endif
