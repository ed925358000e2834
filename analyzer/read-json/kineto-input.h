/* SPDX-License-Identifier: MIT */
/* Reads the bytes of a JSON file. Unpacks them if they are gzip. */
#ifndef RA_KINETO_INPUT_H
#define RA_KINETO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

struct ra_kineto_input;
struct ra_json_log_watch;

enum ra_kineto_form {
	RA_KINETO_FORM_NONE, /* neither JSON nor gzip */
	RA_KINETO_FORM_JSON, /* the first character, perhaps after blanks, is { or [; logs begin
	                        with other bytes */
	RA_KINETO_FORM_GZIP,
};

/* Tells the form of a file's contents by its first bytes. White space and a byte order mark may
 * come first. */
enum ra_kineto_form ra_kineto_input_detect(const void *bytes, size_t size);

/* Opens a file. Return: 0 and *out, to be closed by ra_kineto_input_close(); -RLOG_E_SYSTEM. */
int ra_kineto_input_open(struct ra_kineto_input **out, const char *path, struct rlog_error *err);

/* Opens a pipe. @head: bytes that were read from it; copied. The input closes the pipe. */
struct ra_kineto_input *ra_kineto_input_open_pipe(int fd, const void *head, size_t size);

/* Opens bytes in memory; they are borrowed. */
struct ra_kineto_input *ra_kineto_input_open_memory(const void *bytes, size_t size);

/* NULL is allowed. */
void ra_kineto_input_close(struct ra_kineto_input *input);

/*
 * Reads up to `size` bytes of JSON text.
 *
 * Return: 0 with *count, which is 0 at the end; -RLOG_E_SYSTEM, -RLOG_E_INFLATE (the data are
 * damaged, or unpack to an absurd size), -RLOG_E_TRUNCATED (gzip data without an end).
 */
int ra_kineto_input_read(struct ra_kineto_input *input, char *buffer, size_t size, size_t *count,
                         struct rlog_error *err);

/* Returns the state of the search for a log in the text read so far. */
const struct ra_json_log_watch *ra_kineto_input_watch(const struct ra_kineto_input *input);

/* True if the file is gzip. Then offsets in the text are not offsets in the file. */
bool ra_kineto_input_is_gzip(const struct ra_kineto_input *input);

/* Tells in words what a gzip file contains instead of JSON. NULL: it is empty or contains JSON, or
 * the file is not gzip. */
const char *ra_kineto_input_packed(const struct ra_kineto_input *input);

/* The size of the file; the second function: how many of its bytes have been read. 0: it has no
 * size. */
uint64_t ra_kineto_input_size(const struct ra_kineto_input *input);
uint64_t ra_kineto_input_done(const struct ra_kineto_input *input);

#endif
