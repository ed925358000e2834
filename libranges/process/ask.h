/* SPDX-License-Identifier: MIT */
/* Asks the drain of a capture to do something: from another process, or from the program. */
#ifndef RCAP_ASK_H
#define RCAP_ASK_H

#include "libranges/spool/control.h"

/* Result if the program has ended, so that no answer will come. */
#define RCAP_ASK_GONE (-2)

/* How long to wait for an answer. */
struct rcap_patience {
	uint64_t wait_ns;
	/* returns whether the answering process lives; NULL if it is this process */
	bool (*is_there)(const void *context);
	const void *context;
};

/*
 * Gives the drain a command, wakes the drain, and waits for the answer. Several callers wait for
 * each other.
 *
 * @command: enum rcap_control_command.
 * @path: for a snapshot, an absolute path; NULL or "": by the pattern.
 * @answer: gets the path of the written file (kept.written_path), if there is one; may be NULL.
 * @size: of answer.
 * Return: enum rcap_control_result, -1 if no answer came in time, or RCAP_ASK_GONE.
 * Context: any thread but the drain; polls every ms.
 */
int rcap_ask(struct rcap_control *control, uint32_t command, const char *path, char *answer,
             size_t size, const struct rcap_patience *patience);

#endif
