/* SPDX-License-Identifier: MIT */
/* Shared by the files of the program that abuses NVTX. */
#ifndef ABUSE_H
#define ABUSE_H

#include <stddef.h>
#include <stdint.h>

/* The expected contents of the log: events, and the footer's counts. */
struct abuse_expected {
	uint64_t events;
	uint64_t bad_attributes;
	uint64_t bad_message;
	uint64_t bad_payload;
	uint64_t bad_pointer;
	uint64_t wild_handle;
	uint64_t no_handle;
	uint64_t unmatched_pops;
	uint64_t unmatched_ends;
	uint64_t cut_names;
};

extern struct abuse_expected abuse_expected;

/* A million, or less. */
extern int abuse_many;

/* The last `bytes` of a page that nothing readable follows. */
char *abuse_page_end(size_t bytes);

void abuse_handles(void);
void abuse_unmatched(void);
void abuse_text(void);
void abuse_overwritten(void);

/* Far too many. */
void abuse_names(void);
void abuse_strings(void);
void abuse_domains(void);
void abuse_many_domains(void);
void abuse_depth(void);
void abuse_threads(void);
void abuse_crowd(void);
void abuse_repeats(void);

#endif
