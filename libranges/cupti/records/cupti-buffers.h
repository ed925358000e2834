/* SPDX-License-Identifier: MIT */
/* The buffers that CUPTI fills with records. */
#ifndef RCAP_CUPTI_BUFFERS_H
#define RCAP_CUPTI_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer's content begins this many bytes after its header: a page. */
#define RCAP_CUPTI_BUFFERS_HEADER 4096u

/*
 * A buffer: this header in a page of its own, then the content. At any time exactly one holder has
 * it: CUPTI, the queue or the converter.
 */
struct rcap_cupti_buffer {
	const struct rcap_cupti_buffer *self; /* points to this buffer; with another value the
	                                         buffer is not ours */
	struct rcap_cupti_buffer *next;       /* in the pool's list or the queue */
	size_t bytes;
	size_t valid_bytes;             /* bytes filled */
	bool is_emergency;              /* records in it are not kept */
	_Atomic bool is_out;            /* CUPTI has it */
	struct rcap_cupti_buffer *made; /* the previously made buffer */
};

/*
 * Creates the pool.
 *
 * @limit_bytes: most memory of all buffers together.
 */
void rcap_cupti_buffers_init(uint64_t limit_bytes);

/* Size of each buffer in bytes. */
size_t rcap_cupti_buffers_size(void);

/*
 * Takes a zeroed buffer for CUPTI. CUPTI can't be refused a buffer. So at the limit of memory it
 * gets an emergency buffer, whose records are counted and dropped.
 *
 * Context: any thread, inside CUDA's calls; no malloc; seldom one mmap; errno is kept.
 */
uint8_t *rcap_cupti_buffers_take(void);

/* Takes an emergency buffer. Context: any thread, also in a fork child; no lock. */
uint8_t *rcap_cupti_buffers_take_emergency(void);

/* The content of a buffer. */
static inline uint8_t *rcap_cupti_buffers_bytes(struct rcap_cupti_buffer *buffer)
{
	return (uint8_t *) buffer + RCAP_CUPTI_BUFFERS_HEADER;
}

/* Finds the buffer by its content. */
struct rcap_cupti_buffer *rcap_cupti_buffers_find(uint8_t *bytes);

/*
 * Takes a buffer back from CUPTI. Return: NULL if it is not ours (another tool in the process has
 * its own), or if CUPTI has returned it before. Context: any thread.
 */
struct rcap_cupti_buffer *rcap_cupti_buffers_take_back(uint8_t *bytes);

/* Queues a buffer for the converter. Context: any thread. */
void rcap_cupti_buffers_put(struct rcap_cupti_buffer *buffer, size_t valid_bytes);

/* Takes the first buffer of the queue, NULL if there is none. Context: any thread. */
struct rcap_cupti_buffer *rcap_cupti_buffers_next(void);

/* Waits until a buffer is queued, rcap_cupti_buffers_wake() is called or CLOCK_MONOTONIC reaches
 * `until_ns`. */
void rcap_cupti_buffers_wait(uint64_t until_ns);

/* Ends the present wait, or the next. Context: any thread. */
void rcap_cupti_buffers_wake(void);

/* Initializes a condition whose waits use CLOCK_MONOTONIC. */
void rcap_cupti_buffers_init_condition(pthread_cond_t *condition);

/* True if CUPTI holds a buffer with records. Context: any thread. */
bool rcap_cupti_buffers_are_kept(void);

/* Zeroes a buffer and frees it to the pool. */
void rcap_cupti_buffers_give(struct rcap_cupti_buffer *buffer);

/* Keeps buffers ready, so that a thread of the program needs no mmap and meets no page faults.
 * Context: our worker. */
void rcap_cupti_buffers_look_ahead(void);

#endif
