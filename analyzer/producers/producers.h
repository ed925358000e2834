/* SPDX-License-Identifier: MIT */
/* Tables: how each producer names a device, a queue, a kernel, a copy, a call, a link. */
#ifndef RA_PRODUCERS_H
#define RA_PRODUCERS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/rows/kineto.h"

/* The meaning of the events of a row (a thread of a process). */
enum ra_producers_role {
	RA_PRODUCERS_HOST, /* threads of programs, and all rows that are in no table */
	RA_PRODUCERS_WORK, /* a queue of a device */
	/* WORK if the device has no other row of WORK; else RANGES. In the first case, an event
	 * that contains other work becomes a range. */
	RA_PRODUCERS_WORK_ELSE,
	RA_PRODUCERS_RANGES,  /* ranges around the device's work, drawn above it */
	RA_PRODUCERS_UNKNOWN, /* a row of a device that is in no table: its events become ranges */
	/* sums and the like that the writer of the trace computed from other rows */
	RA_PRODUCERS_COMPUTED,
	RA_PRODUCERS_CALLS, /* calls of a device's API */
};

struct ra_producers_row {
	enum ra_producers_role role;
	const char *producer;    /* NULL: the row is in no table */
	struct rlog_string word; /* the word to print before the device's number: "GPU", "NPU" */
	int64_t device;          /* number of the device; -1: the file has none */
	int64_t stream;          /* number of the queue; -1: the thread gets a new number */
	bool is_by_thread;       /* the number of the thread is the number of the device */
	/* the row is used only if other rows of the trace have work of the same producer */
	bool is_common;
};

/* The kind of an event of phase X by its category, in upper or lower case. */
enum ra_kineto_kind ra_producers_find_kind(struct rlog_string category);

/* Finds out what the events of a row are, by its process_name and thread_name. Borrows the
 * texts. */
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

/* Return: the table of args with ids or details; its last entry has no producer. */
const struct ra_producers_key *ra_producers_borrow_keys(void);

struct ra_producers_detail {
	const char *word;
	enum ra_kineto_key key; /* the name that Kineto has for it */
	bool is_list;           /* the value is a list: 4,1,1 */
	bool is_sum;            /* values of several words are added */
	bool has_zero;          /* a value of 0 is kept; false: 0 means "not known" */
};

/* Finds the meaning of a word. Return: NULL: the word is ignored. */
const struct ra_producers_detail *ra_producers_find_detail(struct rlog_string word);

/* What the name of an event on a queue tells. */
struct ra_producers_name {
	const char *pattern;
	enum ra_kineto_kind kind;
	uint8_t copy_kind; /* by CUPTI's numbers; 0: not known */
};

/* Finds what the name of an event on a row of WORK tells. If the table lacks the name, the event is
 * a kernel. */
const struct ra_producers_name *ra_producers_find_name(struct rlog_string name);

/* Finds the kind of an event on a producer's row of HOST; OTHER: its name tells nothing. */
enum ra_kineto_kind ra_producers_find_host_kind(const char *producer, struct rlog_string name);

/* True if a call's name is that of a driver call, not of a runtime call. */
bool ra_producers_is_driver(struct rlog_string name);

#endif
