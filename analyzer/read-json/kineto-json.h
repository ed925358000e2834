/* SPDX-License-Identifier: MIT */
/* JSON text as a stream of calls, by yajl, with repairs of what traces are known to have wrong. */
#ifndef RA_KINETO_JSON_H
#define RA_KINETO_JSON_H

#include "analyzer/read-json/kineto-input.h"

enum ra_kineto_json_type {
	RA_KINETO_JSON_NULL,
	RA_KINETO_JSON_FALSE,
	RA_KINETO_JSON_TRUE,
	RA_KINETO_JSON_NUMBER, /* text as in the file; also NaN, Infinity and N/A, which JSON has
	                          not */
	RA_KINETO_JSON_STRING, /* text without quotes and escapes */
};

/* Texts live during the call. */
struct ra_kineto_json_handler {
	void (*open)(void *context, bool is_object);
	void (*close)(void *context, bool is_object);
	void (*key)(void *context, const char *text, size_t length);
	void (*value)(void *context, enum ra_kineto_json_type type, const char *text,
	              size_t length);
};

struct ra_kineto_json {
	const struct ra_kineto_json_handler *handler;
	void *context;
	/* Called after each block of text, to show progress; may be NULL. */
	void (*progress)(void *context);

	/* What came of it. */
	uint64_t bytes;      /* of text */
	uint64_t words;      /* repaired: NaN and the like */
	uint64_t commas;     /* repaired: one too many or too few */
	uint64_t surrogates; /* repaired: half a pair, now U+FFFD */
	struct rlog_error
		stop; /* code 0: the text was whole; else why and where the reading ended */
};

/*
 * Reads all there is. Text that is no JSON ends the reading without being an error here:
 * json->stop says so, and what came before it was handed over.
 *
 * Memory: 200 KiB, and twice the longest text, which is at most 64 MiB.
 */
void ra_kineto_json_read(struct ra_kineto_json *json, struct ra_kineto_input *input);

#endif
