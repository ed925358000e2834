/* SPDX-License-Identifier: MIT */
/* Lets a thread unpack some blocks of bytes ahead of the thread that reads them. */
#ifndef RA_KINETO_AHEAD_H
#define RA_KINETO_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

/* With or without a thread, each request for bytes ends at a multiple of this in the text. */
#define RA_KINETO_AHEAD_UNIT ((size_t) 1 << 16)

struct ra_kineto_ahead;

/*
 * Unpacks the next bytes, with the results of ra_kineto_input_read(). Context: a task (pool.h), one
 * at a time.
 *
 * @done: bytes of the file that were read so far.
 */
typedef int ra_kineto_ahead_unpack(void *context, char *buffer, size_t size, size_t *count,
                                   uint64_t *done, struct rlog_error *err);

/* Return: NULL if no thread should be used. */
struct ra_kineto_ahead *ra_kineto_ahead_create(ra_kineto_ahead_unpack *unpack, void *context);

/* NULL is allowed. */
void ra_kineto_ahead_destroy(struct ra_kineto_ahead *ahead);

/* Takes unpacked bytes in order, and waits for them. Return: the code of unpack(); after a failure
 * or the end, each further call returns it again. */
int ra_kineto_ahead_read(struct ra_kineto_ahead *ahead, char *buffer, size_t size, size_t *count,
                         uint64_t *done, struct rlog_error *err);

#endif
