/* SPDX-License-Identifier: MIT */
/* Asks the drain of a capture to do something: from another process, or from the program. */
#ifndef RCAP_ASK_H
#define RCAP_ASK_H

#include "libranges/spool/control.h"

/* The program has ended: nobody will answer. */
#define RCAP_ASK_GONE (-2)

/* How long an answer is waited for. */
struct rcap_patience {
	uint64_t wait_ns;
	bool (*is_there)(const void *context); /* who is to answer lives; NULL: it is ourselves */
	const void *context;
};

/*
 * Puts a command where the drain finds it, wakes that, and waits for the answer. One at a time: who
 * comes second waits.
 *
 * @command: enum rcap_control_command. @path: of a snapshot, absolute; NULL or "": by the pattern.
 * @answer: gets kept.written_path, where that is one; may be NULL. @size: of answer.
 * Return: enum rcap_control_result, -1: there was no answer in time, RCAP_ASK_GONE. Context: any
 * thread but the drain; looks each ms.
 */
int rcap_ask(struct rcap_control *control, uint32_t command, const char *path, char *answer,
             size_t size, const struct rcap_patience *patience);

#endif
