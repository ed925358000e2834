/* SPDX-License-Identifier: MIT */
/* The buffers that CUPTI fills with records. */
#ifndef RCAP_CUPTI_BUFFERS_H
#define RCAP_CUPTI_BUFFERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes before those of the buffer: a page. */
#define RCAP_CUPTI_BUFFERS_HEADER 4096u

/*
 * One buffer: this header in a page of its own, the bytes behind it. Whoever has it, CUPTI, the
 * queue or the converter, has it alone.
 */
struct rcap_cupti_buffer {
	const struct rcap_cupti_buffer *self; /* this one: else it is none of ours */
	struct rcap_cupti_buffer *next;       /* of the pool's list or the queue */
	size_t bytes;
	size_t valid_bytes;             /* filled */
	bool is_emergency;              /* what comes in it is not kept */
	_Atomic bool is_out;            /* CUPTI has it */
	struct rcap_cupti_buffer *made; /* the one made before it */
};

/*
 * Makes the pool.
 *
 * @limit_bytes: memory that all buffers may take together.
 */
void rcap_cupti_buffers_init(uint64_t limit_bytes);

/* Bytes of each buffer. */
size_t rcap_cupti_buffers_size(void);

/*
 * A zeroed buffer for CUPTI, which must not be told that there is none. At the limit it is an
 * emergency buffer: what CUPTI puts there is counted and dropped.
 *
 * Context: any thread, inside CUDA's calls; no malloc; seldom one mmap; errno is kept.
 */
uint8_t *rcap_cupti_buffers_take(void);

/* An emergency buffer at once. Context: any thread, also in a fork child; takes no lock. */
uint8_t *rcap_cupti_buffers_take_emergency(void);

/* Where its bytes are. */
static inline uint8_t *rcap_cupti_buffers_bytes(struct rcap_cupti_buffer *buffer)
{
	return (uint8_t *) buffer + RCAP_CUPTI_BUFFERS_HEADER;
}

/* The buffer whose bytes begin there. */
struct rcap_cupti_buffer *rcap_cupti_buffers_find(uint8_t *bytes);

/*
 * Takes back what CUPTI has. Return: NULL if it is none of ours, as where another tool in the
 * process has its own buffers, or if CUPTI has given it back before. Context: any thread.
 */
struct rcap_cupti_buffer *rcap_cupti_buffers_take_back(uint8_t *bytes);

/* Queues a buffer for the converter. Context: any thread. */
void rcap_cupti_buffers_put(struct rcap_cupti_buffer *buffer, size_t valid_bytes);

/* The buffer that was queued first, NULL if there is none. Context: any thread. */
struct rcap_cupti_buffer *rcap_cupti_buffers_next(void);

/* Waits until a buffer is queued, rcap_cupti_buffers_wake() is called or CLOCK_MONOTONIC has come
 * to `until_ns`. */
void rcap_cupti_buffers_wait(uint64_t until_ns);

/* Ends a wait, this one or the next. Context: any thread. */
void rcap_cupti_buffers_wake(void);

/* Makes a condition whose waits go by CLOCK_MONOTONIC. */
void rcap_cupti_buffers_init_condition(pthread_cond_t *condition);

/* True if CUPTI has a buffer with records in it. Context: any thread. */
bool rcap_cupti_buffers_are_kept(void);

/* Zeroes a buffer and gives it back to the pool. */
void rcap_cupti_buffers_give(struct rcap_cupti_buffer *buffer);

/* Has buffers at hand, so that programs meet neither mmap nor page faults. Context: our worker. */
void rcap_cupti_buffers_look_ahead(void);

#endif
