/* SPDX-License-Identifier: MIT */
/* Reads a Chrome trace into struct ra_kineto, event by event. */
#ifndef RA_KINETO_READ_H
#define RA_KINETO_READ_H

#include "analyzer/read-json/kineto-input.h"
#include "analyzer/rows/kineto-store.h"
#include "analyzer/rows/kineto.h"

struct ra_kineto_read_options {
	/* Called now and then with the number of bytes read and the file's size; NULL: not
	 * called. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
	/* In X, flows and other events whose ph comes before them, skip fields and args that have
	 * no RA_KINETO_ARG_ of their own. Keep those of counters and metadata. */
	bool few_args;
	/* Called for each oddity, with the offset in the text of the oddity, or of its event; NULL:
	 * not called. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* Called after the last row, to add rows; NULL: not called. */
	void (*extend)(void *context, struct ra_kineto_store *store);
	void *extend_context;
};

/*
 * Fills columns, strings, threads, categories, facts and devices, but not what needs the model. If
 * the text ends too early, or is not JSON from some place on, that is no error: *stop tells it
 * (code 0: all is well), and the events before it are kept.
 *
 * Return: 0 and *out, to be freed by ra_kineto_destroy(); -RLOG_E_NOT_A_LOG if the file is JSON but
 * not a trace. Memory: about 45 bytes per event, and each distinct text once.
 */
int ra_kineto_read(struct ra_kineto **out, struct ra_kineto_input *input,
                   const struct ra_kineto_read_options *options, struct rlog_error *stop,
                   struct rlog_error *err);

#endif
