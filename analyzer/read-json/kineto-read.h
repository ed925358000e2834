/* SPDX-License-Identifier: MIT */
/* Reads a Chrome trace into struct ra_kineto, event by event. */
#ifndef RA_KINETO_READ_H
#define RA_KINETO_READ_H

#include "analyzer/read-json/kineto-input.h"
#include "analyzer/rows/kineto-store.h"
#include "analyzer/rows/kineto.h"

struct ra_kineto_read_options {
	/* Called now and then with the bytes read and the file's size; NULL: not called. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
	/* Fields and args that have no RA_KINETO_ARG_ of their own are passed over in X, flows and
	 * what else has its ph before them; those of counters and metadata are not. */
	bool few_args;
	/* Called for each oddity with its offset in the text, or that of its event; NULL: not. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* Called with all rows there, to add some of its own; NULL: not. */
	void (*extend)(void *context, struct ra_kineto_store *store);
	void *extend_context;
};

/*
 * Fills columns, strings, threads, categories, facts and devices; not what needs the model. Text
 * that ends too early or is no JSON behind some point is no error: *stop says so (code 0 if all is
 * well), and the events before it are there.
 *
 * Return: 0 and *out for ra_kineto_destroy; -RLOG_E_NOT_A_LOG if it is JSON, but no trace.
 * Memory: about 45 bytes per event, and each different text once.
 */
int ra_kineto_read(struct ra_kineto **out, struct ra_kineto_input *input,
                   const struct ra_kineto_read_options *options, struct rlog_error *stop,
                   struct rlog_error *err);

#endif
