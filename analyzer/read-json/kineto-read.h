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
	/* Skip fields and args without an RA_KINETO_ARG_ of their own in X, flows and other events
	 * whose ph comes before them. Those of counters and metadata are kept. */
	bool few_args;
	/* Called for each oddity with its offset in the text, or its event's; NULL: not called. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* Called when all rows are there, to add rows; NULL: not called. */
	void (*extend)(void *context, struct ra_kineto_store *store);
	void *extend_context;
};

/*
 * Fills columns, strings, threads, categories, facts and devices, but not what needs the model.
 * Text that ends too early, or is not JSON from some point on, is no error: *stop says so (code 0
 * if all is well), and the events before it are kept.
 *
 * Return: 0 and *out for ra_kineto_destroy; -RLOG_E_NOT_A_LOG if the file is JSON but not a trace.
 * Memory: about 45 bytes per event, and each different text once.
 */
int ra_kineto_read(struct ra_kineto **out, struct ra_kineto_input *input,
                   const struct ra_kineto_read_options *options, struct rlog_error *stop,
                   struct rlog_error *err);

#endif
