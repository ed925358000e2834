/* SPDX-License-Identifier: MIT */
/* Handles RANGES_CUDA: what is recorded about CUDA. */
#ifndef RCAP_CUPTI_KINDS_H
#define RCAP_CUPTI_KINDS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the longest setting, with its NUL. */
#define RCAP_CUPTI_KINDS_BYTES 96

/* What the setting asks for, as bits. Kernels, copies, runtime calls and others are always
 * recorded, and have no bit. */
enum rcap_cupti_kinds {
	RCAP_CUPTI_ON = 1,
	RCAP_CUPTI_WITH_DRIVER = 2,      /* all driver calls that matter, not only launches */
	RCAP_CUPTI_WITH_MEMORY = 4,      /* allocations */
	RCAP_CUPTI_WITH_NODES = 8,       /* each operation of a graph, not the graph as a whole */
	RCAP_CUPTI_WITH_LATENCY = 16,    /* when launches were queued and submitted */
	RCAP_CUPTI_WITH_EVENTS = 32,     /* CUDA events */
	RCAP_CUPTI_WITH_UNIFIED = 64,    /* copies and faults of managed memory */
	RCAP_CUPTI_WITH_EXTERNAL = 128,  /* ids that libraries assign to calls (external
	                                  * correlation) */
	RCAP_CUPTI_WITH_PROFILER = 1024, /* only while the program has cudaProfilerStart() on */
	RCAP_CUPTI_WITH_SYNC = 4096,     /* waits for the GPU by kind, stream and event */
	/* The next settings are for finding faults on a machine. */
	RCAP_CUPTI_WITHOUT_FLUSH = 256, /* CUPTI hands over its buffers only when they are full */
	RCAP_CUPTI_WITHOUT_CLOCK = 512, /* times are by CUPTI's clock, not ours */
	RCAP_CUPTI_INLINE = 2048,       /* the thread that initialises CUDA starts CUPTI itself */
};

/*
 * Parses "off", "on", or a list with commas of what is recorded besides the usual.
 *
 * @why: gets one line if the text is refused.
 * Return: bits of enum rcap_cupti_kinds; 0 for "off"; -1 if the text is refused.
 */
int rcap_cupti_kinds_parse(const char *text, char *why, size_t size);

/* True if RANGES_CUDA says "off". This can be used before the configuration is read, because with
 * "off" nothing must be started. Context: whenever CUDA itself may read its variables. */
bool rcap_cupti_kinds_are_off(void);

#endif
