/* SPDX-License-Identifier: MIT */
/* Debug annotations of Perfetto's events, as args of rows. */
#ifndef RA_PERFETTO_ARGS_H
#define RA_PERFETTO_ARGS_H

#include "analyzer/read-perfetto/perfetto-state.h"
#include "analyzer/rows/kineto-fill.h"

/* Adds an annotation, which the message is, to the event at hand. @sequence: index, of its packet.
 */
void ra_perfetto_args_put(const struct ra_perfetto_state *state, uint32_t sequence,
                          struct ra_kineto_fill *fill, struct ra_protobuf message);

#endif
