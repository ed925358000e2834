/* SPDX-License-Identifier: MIT */
/* Tables of how each producer names a device, a queue, a kernel, a copy, a call, a link. */
#ifndef RA_PRODUCERS_H
#define RA_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

/* The meaning of the events of a row (a thread of a process). */
enum ra_producers_role {
	RA_PRODUCERS_HOST, /* threads of programs, and all rows that no table knows */
	RA_PRODUCERS_WORK, /* a queue of a device */
	/* WORK if its device has no row of WORK, else ranges. An event that holds other work is
	 * then a range. */
	RA_PRODUCERS_WORK_ELSE,
	RA_PRODUCERS_RANGES,   /* names of what the work belongs to, drawn above it */
	RA_PRODUCERS_UNKNOWN,  /* a row of a device that no table knows: taken for ranges */
	RA_PRODUCERS_COMPUTED, /* sums and the like that the writer of the trace computed from other
	                          rows */
	RA_PRODUCERS_CALLS,    /* calls of a device's API */
};

struct ra_producers_row {
	enum ra_producers_role role;
	const char *producer;    /* NULL: none is known */
	struct rlog_string word; /* the device's word before its number: "GPU", "NPU" */
	int64_t device;          /* its number; -1: the file has none */
	int64_t stream;          /* number of the queue; -1: the thread gets one */
	bool is_by_thread;       /* the thread's number is the device's */
	bool is_common; /* the row counts only if other rows of the trace have work of the same
	                   producer */
};

/* The kind of an event of ph X by its category, in upper or lower case. */
enum ra_kineto_kind ra_producers_find_kind(struct rlog_string category);

/* Finds what is on a row with this process_name and thread_name. Texts are borrowed. */
void ra_producers_find_row(struct ra_producers_row *row, struct rlog_string process,
                           struct rlog_string thread);

/* The meaning of an arg of a producer's events. */
enum ra_producers_use {
	RA_PRODUCERS_LINK,    /* a call and the work that it launched have the same value */
	RA_PRODUCERS_DETAILS, /* "word:value word:value …", see ra_producers_find_detail() */
};

struct ra_producers_key {
	const char *producer;
	enum ra_kineto_key key;
	enum ra_producers_use use;
};

/* Return: the table; its last entry has no producer. */
const struct ra_producers_key *ra_producers_borrow_keys(void);

struct ra_producers_detail {
	const char *word;
	enum ra_kineto_key key; /* as Kineto calls it */
	bool is_list;           /* the value is a list: 4,1,1 */
	bool is_sum;            /* values of several words are added */
	bool has_zero;          /* 0 is a value; else 0 means "not known" */
};

/* NULL: the word is not used. */
const struct ra_producers_detail *ra_producers_find_detail(struct rlog_string word);

/* The facts that the name of an event on a queue tells. */
struct ra_producers_name {
	const char *pattern;
	enum ra_kineto_kind kind;
	uint8_t copy_kind; /* as CUPTI counts; 0: not known */
};

/* For an event on a row of WORK. It is a kernel if the table does not have its name. */
const struct ra_producers_name *ra_producers_find_name(struct rlog_string name);

/* For an event on a producer's row of HOST; OTHER if its name tells nothing. */
enum ra_kineto_kind ra_producers_find_host_kind(const char *producer, struct rlog_string name);

/* True if the name is that of a driver call rather than a runtime call. */
bool ra_producers_is_driver(struct rlog_string name);

#endif
