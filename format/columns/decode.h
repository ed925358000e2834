/* SPDX-License-Identifier: MIT */
/* Decodes all payloads but events, from msgpack to rows (doc/format.md section 5). */
#ifndef RLOG_DECODE_H
#define RLOG_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "format/error.h"
#include "format/tables.h"

/* An inflated payload, and its number of rows by the chunk's header. */
struct rlog_decode_source {
	const void *bytes; /* borrowed */
	size_t size;
	size_t rows;
};

/* The facts of a CAPTURE or END chunk. Their texts are not copied, but point into the payload. */
struct rlog_decode_facts {
	struct rlog_fact *facts; /* owned, like the next two */
	struct rlog_string *texts;
	char *keys;
	size_t count;
};

/*
 * These functions fill out[0 … rows-1], which must be zero. They return 0, -RLOG_E_MSGPACK,
 * -RLOG_E_SCHEMA or -RLOG_E_NO_MEMORY. The caller sets err->offset.
 */
int rlog_decode_defs(const struct rlog_decode_source *source, struct rlog_def *out,
                     struct rlog_error *err);
int rlog_decode_clock(const struct rlog_decode_source *source, struct rlog_clock_point *out,
                      struct rlog_error *err);
int rlog_decode_losses(const struct rlog_decode_source *source, struct rlog_loss *out,
                       struct rlog_error *err);
/* Decodes strings. Their bytes are not copied, but point into the payload. */
int rlog_decode_strings(const struct rlog_decode_source *source, struct rlog_string *out,
                        struct rlog_error *err);

/* Decodes the facts of known kinds, and leaves out others. *out must be zero; on failure it is zero
 * again. */
int rlog_decode_facts(const struct rlog_decode_source *source, struct rlog_decode_facts *out,
                      struct rlog_error *err);
void rlog_decode_free_facts(struct rlog_decode_facts *facts);

#endif
