/* SPDX-License-Identifier: MIT */
/* Reading a trace in JSON: file → rows → model. */
#ifndef RA_KINETO_LOAD_H
#define RA_KINETO_LOAD_H

#include "analyzer/model/input.h"

/* Its models have kineto, but are those of the log where the trace holds one (json-log.h). */
extern const struct ra_input ra_kineto_load_input;

#endif
