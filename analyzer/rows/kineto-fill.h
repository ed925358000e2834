/* SPDX-License-Identifier: MIT */
/* Makes rows for readers of formats other than Chrome's JSON. */
#ifndef RA_KINETO_FILL_H
#define RA_KINETO_FILL_H

#include "analyzer/rows/kineto-store.h"

/*
 * Begin an event, add its fields, and end it:
 *
 *	ra_kineto_fill_begin(&fill, 'X', name);
 *	ra_kineto_fill_time(&fill, start_ns, dur_ns);
 *	ra_kineto_fill_int(&fill, RA_KINETO_ARG_STREAM, 7);
 *	ra_kineto_fill_end(&fill);
 */
struct ra_kineto_fill {
	struct ra_kineto_store *store; /* borrowed */
	struct ra_kineto_row row;
	/* string ids of the pid and tid of all events until the next ra_kineto_fill_place() */
	uint32_t pid;
	uint32_t tid;
};

/* Sets the process and thread of the next events. */
void ra_kineto_fill_place(struct ra_kineto_fill *fill, int64_t pid, int64_t tid);

void ra_kineto_fill_begin(struct ra_kineto_fill *fill, char phase, struct rlog_string name);

/* @category: empty if the event has none. */
void ra_kineto_fill_category(struct ra_kineto_fill *fill, const char *category);

/* Sets the time. A time beyond a quarter of 2^63 ns (73 years) is left out, as when JSON is
 * read. */
void ra_kineto_fill_time(struct ra_kineto_fill *fill, int64_t start_ns, int64_t dur_ns);

/* These add an arg. @key: enum ra_kineto_key, or the string id of the arg's name. */
void ra_kineto_fill_int(struct ra_kineto_fill *fill, uint32_t key, int64_t value);
void ra_kineto_fill_real(struct ra_kineto_fill *fill, uint32_t key, double value);
void ra_kineto_fill_text(struct ra_kineto_fill *fill, uint32_t key, struct rlog_string text);

/* Adds an arg with the text "[x,y,z]". */
void ra_kineto_fill_dims(struct ra_kineto_fill *fill, uint32_t key, const int64_t dims[3]);

void ra_kineto_fill_end(struct ra_kineto_fill *fill);

/* Adds a metadata event (ph M). @what: "process_name" or "thread_name". Does nothing if the name is
 * empty. */
void ra_kineto_fill_name(struct ra_kineto_fill *fill, const char *what, struct rlog_string name);

#endif
