/* SPDX-License-Identifier: MIT */
/* Takes a timeline in JSON, as it is written, for a trace in protobuf. */
#ifndef RA_PFTRACE_JSON_H
#define RA_PFTRACE_JSON_H

#include "analyzer/pftrace/pftrace-events.h"

struct ra_pftrace_json;

/* @trace: borrowed; gets what is read. */
struct ra_pftrace_json *ra_pftrace_json_create(struct ra_pftrace *trace);
void ra_pftrace_json_destroy(struct ra_pftrace_json *json);

/* The next bytes of the text; of struct ra_outbuf's `take`. */
void ra_pftrace_json_put(void *json, const char *bytes, size_t count);

/* Return: true if the text was JSON and is complete. */
bool ra_pftrace_json_finish(struct ra_pftrace_json *json);

#endif
