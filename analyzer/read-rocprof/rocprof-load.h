/* SPDX-License-Identifier: MIT */
/* Reads a profile of rocprofv3: file → rows → model. */
#ifndef RA_ROCPROF_LOAD_H
#define RA_ROCPROF_LOAD_H

#include "analyzer/model/input.h"

/* The input for profiles of rocprofv3. Its models have `kineto`, the rows of a trace. The file may
 * be packed by gzip. */
extern const struct ra_input ra_rocprof_load_input;

#endif
