/* SPDX-License-Identifier: MIT */
/* The buffers that CUPTI fills with records. */
#ifndef RCAP_CUPTI_BUFFERS_H
#define RCAP_CUPTI_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer's content begins this many bytes after the begin of its header. This is a page. */
#define RCAP_CUPTI_BUFFERS_HEADER 4096u

/*
 * A buffer: this header in a page of its own, then the content. It has exactly one owner at any
 * time: the pool, CUPTI, the queue or the converter.
 */
struct rcap_cupti_buffer {
	const struct rcap_cupti_buffer *self; /* address of this struct; with another value the
	                                       * buffer is not ours */
	struct rcap_cupti_buffer *next;       /* next buffer in the pool's list or in the queue */
	size_t bytes;
	size_t valid_bytes;             /* bytes that CUPTI has filled */
	bool is_emergency;              /* true: its records are counted and dropped */
	_Atomic bool is_out;            /* true: CUPTI has the buffer */
	struct rcap_cupti_buffer *made; /* the buffer that was made before this one */
};

/*
 * Creates the pool.
 *
 * @limit_bytes: most memory of all buffers together.
 */
void rcap_cupti_buffers_init(uint64_t limit_bytes);

/* Returns the size of each buffer in bytes. */
size_t rcap_cupti_buffers_size(void);

/*
 * Takes a zeroed buffer for CUPTI. CUPTI always needs a buffer. So when the limit of memory is
 * reached, it gets an emergency buffer, whose records are counted and dropped.
 *
 * Context: any thread, inside CUDA's calls; no malloc; seldom one mmap; errno is kept.
 */
uint8_t *rcap_cupti_buffers_take(void);

/* Takes an emergency buffer. Context: any thread, also in a fork child; no lock. */
uint8_t *rcap_cupti_buffers_take_emergency(void);

/* Returns the content of a buffer. */
static inline uint8_t *rcap_cupti_buffers_bytes(struct rcap_cupti_buffer *buffer)
{
	return (uint8_t *) buffer + RCAP_CUPTI_BUFFERS_HEADER;
}

/* Returns the buffer that has this content. */
struct rcap_cupti_buffer *rcap_cupti_buffers_find(uint8_t *bytes);

/*
 * Takes a buffer back from CUPTI. Return: NULL if the buffer is not ours (another tool in the
 * process may have its own), or if CUPTI has returned it before. Context: any thread.
 */
struct rcap_cupti_buffer *rcap_cupti_buffers_take_back(uint8_t *bytes);

/* Queues a buffer for the converter. Context: any thread. */
void rcap_cupti_buffers_put(struct rcap_cupti_buffer *buffer, size_t valid_bytes);

/* Takes the first buffer from the queue; NULL if the queue is empty. Context: any thread. */
struct rcap_cupti_buffer *rcap_cupti_buffers_next(void);

/* Waits until a buffer is queued, rcap_cupti_buffers_wake() is called, or CLOCK_MONOTONIC reaches
 * `until_ns`. */
void rcap_cupti_buffers_wait(uint64_t until_ns);

/* Ends the present or the next rcap_cupti_buffers_wait(). Context: any thread. */
void rcap_cupti_buffers_wake(void);

/* Initializes a condition whose waits use CLOCK_MONOTONIC. */
void rcap_cupti_buffers_init_condition(pthread_cond_t *condition);

/* True if CUPTI has a buffer with records. Context: any thread. */
bool rcap_cupti_buffers_are_kept(void);

/* Zeroes a buffer and returns it to the pool. */
void rcap_cupti_buffers_give(struct rcap_cupti_buffer *buffer);

/* Keeps some buffers ready, so that a thread of the program needs no mmap and has no page faults.
 * Context: our worker. */
void rcap_cupti_buffers_look_ahead(void);

#endif
