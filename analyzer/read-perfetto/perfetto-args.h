/* SPDX-License-Identifier: MIT */
/* Makes args of rows from the debug annotations of Perfetto's events. */
#ifndef RA_PERFETTO_ARGS_H
#define RA_PERFETTO_ARGS_H

#include "analyzer/read-perfetto/perfetto-state.h"
#include "analyzer/rows/kineto-fill.h"

/* Adds the annotation in `message` to the current event. @sequence: index of the packet's
 * sequence. */
void ra_perfetto_args_put(const struct ra_perfetto_state *state, uint32_t sequence,
                          struct ra_kineto_fill *fill, struct ra_protobuf message);

#endif
