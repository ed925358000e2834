/* SPDX-License-Identifier: MIT */
/* Reads a profile of XLA: file → rows → model. */
#ifndef RA_XPLANE_LOAD_H
#define RA_XPLANE_LOAD_H

#include "analyzer/model/input.h"

/* The input for profiles of XLA. Its models have `kineto`, the rows of a trace. The file may be
 * packed by gzip. */
extern const struct ra_input ra_xplane_load_input;

#endif
