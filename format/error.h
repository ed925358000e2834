/* SPDX-License-Identifier: MIT */
/* Error codes of all layers, and the struct with the details of a failure. */
#ifndef RLOG_ERROR_H
#define RLOG_ERROR_H

#include <stdint.h>

/* Functions return 0 or -code. Users may see the numbers, so they never change and are never
 * reused. */
enum rlog_error_code {
	RLOG_OK = 0,
	RLOG_E_SYSTEM = 1, /* a system call failed: sys_errno says why */
	RLOG_E_NO_MEMORY = 2,
	RLOG_E_NOT_A_LOG = 3,   /* no chunk in the whole file */
	RLOG_E_EMPTY = 4,       /* a file of 0 bytes */
	RLOG_E_VERSION = 5,     /* a format version newer than we read */
	RLOG_E_HEADER = 6,      /* a chunk header is damaged or breaks a limit */
	RLOG_E_PAYLOAD_CRC = 7, /* payload bytes do not match their CRC */
	RLOG_E_INFLATE = 8,     /* the payload is not a zlib stream of the given size */
	RLOG_E_MSGPACK = 9,     /* the payload is not msgpack of the expected kinds */
	/* valid msgpack, but a column is missing or has a wrong type or length */
	RLOG_E_SCHEMA = 10,
	RLOG_E_TRUNCATED = 11,  /* the file ends inside a chunk */
	RLOG_E_NOT_A_FILE = 12, /* the path is a directory, a socket, … */
	RLOG_E_FULL = 13,       /* a caller's buffer is too small */
	RLOG_E_ARGUMENT = 14,
	RLOG_E_TOO_DENSE = 15, /* more events than a file of this size can hold */
};

#define RLOG_NO_OFFSET UINT64_MAX

struct rlog_error {
	int code;          /* enum rlog_error_code */
	int sys_errno;     /* 0: no system call failed */
	uint64_t offset;   /* byte offset in the file, or RLOG_NO_OFFSET */
	char message[200]; /* one line without a newline: what was expected, and what was found */
};

/*
 * Fills err and returns -code, so that a failing function can end with `return rlog_error_set(…)`.
 *
 * @err: may be NULL; then only the code is returned.
 * @code: enum rlog_error_code, positive. For RLOG_E_SYSTEM, sys_errno is taken from errno.
 * @offset: byte offset or RLOG_NO_OFFSET.
 * @format: as for printf, one line.
 * Return: -code.
 * Context: any thread; not for signal handlers. errno is kept.
 */
int rlog_error_set(struct rlog_error *err, int code, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Returns the name that the documentation gives to a code, such as E_HEADER.
 *
 * Return: a static string; E_UNKNOWN for a number that is not a code.
 */
const char *rlog_error_name(int code);

#endif
