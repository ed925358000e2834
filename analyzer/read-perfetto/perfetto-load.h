/* SPDX-License-Identifier: MIT */
/* Reads a trace of Perfetto: file → rows → model. */
#ifndef RA_PERFETTO_LOAD_H
#define RA_PERFETTO_LOAD_H

#include "analyzer/model/input.h"

/* The input for traces of Perfetto. Its models have `kineto`, the rows of the trace. The file may
 * be packed by gzip. */
extern const struct ra_input ra_perfetto_load_input;

#endif
