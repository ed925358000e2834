/* SPDX-License-Identifier: MIT */
/* The bytes of a JSON file, unpacked on the way if it is gzip. */
#ifndef RA_KINETO_INPUT_H
#define RA_KINETO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

struct ra_kineto_input;
struct ra_json_log_watch;

enum ra_kineto_form {
	RA_KINETO_FORM_NONE, /* neither */
	RA_KINETO_FORM_JSON, /* the first character is { or [, or comes later: no log begins so */
	RA_KINETO_FORM_GZIP,
};

/* What the first bytes of a file look like: white space and a byte order mark may come first. */
enum ra_kineto_form ra_kineto_input_detect(const void *bytes, size_t size);

/* Return: 0 and *out, for ra_kineto_input_close; -RLOG_E_SYSTEM. */
int ra_kineto_input_open(struct ra_kineto_input **out, const char *path, struct rlog_error *err);

/*
 * The same of a pipe that is open, whose first bytes have been read into `head`, which is copied.
 * The input closes it.
 */
struct ra_kineto_input *ra_kineto_input_open_pipe(int fd, const void *head, size_t size);

/* The same over memory that the caller keeps. */
struct ra_kineto_input *ra_kineto_input_open_memory(const void *bytes, size_t size);

/* NULL is allowed. */
void ra_kineto_input_close(struct ra_kineto_input *input);

/*
 * Reads up to `size` bytes of JSON text.
 *
 * Return: 0 with *count, which is 0 at the end; -RLOG_E_SYSTEM, -RLOG_E_INFLATE (damaged, or the
 * file unpacks to an absurd size), -RLOG_E_TRUNCATED (gzip data without an end).
 */
int ra_kineto_input_read(struct ra_kineto_input *input, char *buffer, size_t size, size_t *count,
                         struct rlog_error *err);

/* What was seen of a log within the text that has been read. */
const struct ra_json_log_watch *ra_kineto_input_watch(const struct ra_kineto_input *input);

/* Offsets of the text are then not those of the file. */
bool ra_kineto_input_is_gzip(const struct ra_kineto_input *input);

/* What a gzip file holds in place of JSON, in words. NULL: nothing, or JSON, or it is no gzip file.
 */
const char *ra_kineto_input_packed(const struct ra_kineto_input *input);

/* Bytes of the file, and how many of them have been read. 0 if it has no size. */
uint64_t ra_kineto_input_size(const struct ra_kineto_input *input);
uint64_t ra_kineto_input_done(const struct ra_kineto_input *input);

#endif
