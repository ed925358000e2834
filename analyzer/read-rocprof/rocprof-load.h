/* SPDX-License-Identifier: MIT */
/* Reads a profile of rocprofv3: file → rows → model. */
#ifndef RA_ROCPROF_LOAD_H
#define RA_ROCPROF_LOAD_H

#include "analyzer/model/input.h"

/* Its models have kineto. The file may be packed by gzip. */
extern const struct ra_input ra_rocprof_load_input;

#endif
