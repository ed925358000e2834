/* SPDX-License-Identifier: MIT */
/* How each producer says what is a device, a queue, a kernel, a copy, a call, a link: the tables.
 */
#ifndef RA_PRODUCERS_H
#define RA_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

/* What stands on a row of a trace (a thread of a process). */
enum ra_producers_role {
	RA_PRODUCERS_HOST, /* threads of programs; and all that no table knows */
	RA_PRODUCERS_WORK, /* a queue of a device */
	/* The same if its device has no row of WORK, else ranges. What holds other work is then a
	 * range. */
	RA_PRODUCERS_WORK_ELSE,
	RA_PRODUCERS_RANGES,   /* names of what the work belongs to, drawn over it */
	RA_PRODUCERS_UNKNOWN,  /* of a device, and nobody here knows what: taken for ranges */
	RA_PRODUCERS_COMPUTED, /* sums and the like of other rows, by who wrote the trace */
	RA_PRODUCERS_CALLS,    /* calls of a device's API */
};

struct ra_producers_row {
	enum ra_producers_role role;
	const char *producer;    /* NULL: none is known */
	struct rlog_string word; /* of the device, before its number: "GPU", "NPU" */
	int64_t device;          /* its number; -1: the file tells none */
	int64_t stream;          /* number of the queue; -1: the thread's is one */
	bool is_by_thread;       /* the thread's number is the device's */
	bool is_common; /* it counts only if the trace has work of the producer on other rows */
};

/* The kind of an event of ph X by its category, upper or lower case. */
enum ra_kineto_kind ra_producers_find_kind(struct rlog_string category);

/* What stands on a row with this process_name and thread_name. Texts are borrowed. */
void ra_producers_find_row(struct ra_producers_row *row, struct rlog_string process,
                           struct rlog_string thread);

/* What an arg of a producer's events is for. */
enum ra_producers_use {
	RA_PRODUCERS_LINK,    /* the call has the same as the work that it launched */
	RA_PRODUCERS_DETAILS, /* "word:value word:value …" of ra_producers_find_detail() */
};

struct ra_producers_key {
	const char *producer;
	enum ra_kineto_key key;
	enum ra_producers_use use;
};

/* Return: the table; its end has no producer. */
const struct ra_producers_key *ra_producers_borrow_keys(void);

struct ra_producers_detail {
	const char *word;
	enum ra_kineto_key key; /* as Kineto calls it */
	bool is_list;           /* 4,1,1 */
	bool is_sum;            /* several words add up to it */
	bool has_zero;          /* 0 is a value; else it stands for "not known" */
};

/* NULL: a word that tells nothing that is used. */
const struct ra_producers_detail *ra_producers_find_detail(struct rlog_string word);

/* What a name on a queue tells. */
struct ra_producers_name {
	const char *pattern;
	enum ra_kineto_kind kind;
	uint8_t copy_kind; /* as CUPTI counts, 0 not known */
};

/* Of an event on a row of WORK; a kernel if the table has no such name. */
const struct ra_producers_name *ra_producers_find_name(struct rlog_string name);

/* Of an event on a row of HOST that is of a producer: OTHER if its name tells nothing. */
enum ra_kineto_kind ra_producers_find_host_kind(const char *producer, struct rlog_string name);

/* The driver's call rather than the runtime's, by its name. */
bool ra_producers_is_driver(struct rlog_string name);

#endif
