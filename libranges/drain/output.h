/* SPDX-License-Identifier: MIT */
/* Makes the file name of a log from the pattern of RANGES_OUTPUT. */
#ifndef RCAP_OUTPUT_H
#define RCAP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

/* The parts of a log's name. */
struct rcap_output_names {
	const char *host;
	const char *rank; /* NULL: unknown, %r gives "0" */
	int64_t pid;
	uint32_t cycle;    /* number of the cycle, if the capture has several; 0: it has one */
	uint32_t snapshot; /* number of the snapshot; 0: not a snapshot */
	/* 0 for the first try. The caller counts up while the name is taken (O_EXCL). It starts
	 * after names that other processes claim. */
	unsigned attempt;
	bool is_root; /* the user started this process: it may have the plain name */
};

/*
 * Makes the name for one process and attempt. Conversions: %p pid, %h host, %r rank, %n attempt +
 * 1, %c the cycle (1 if there is only one), %% percent sign, %q{NAME} the value of an environment
 * variable.
 *
 * No two processes may want the same name. So a pattern without %p and %n gets ".<pid>" before its
 * suffix, from the second attempt on, and always for processes that are not the root (with %r: not
 * the first of their rank). From the third attempt on (with %p: from the second on) it also gets
 * ".<number>". Without %c a cycle gets ".c<cycle>" before all of these, and a snapshot then gets
 * ".s<number>".
 *
 * @size: of out; RCAP_CONFIG_PATH_BYTES is the usual one.
 * Return: 0; -RLOG_E_ARGUMENT: unknown conversion, or %q of a variable that is not set or holds "/"
 * or ".."; -RLOG_E_FULL: too long. err->offset is the place in the pattern. Context: any thread; no
 * allocation; reads the environment with secure_getenv.
 */
int rcap_output_make(char *out, size_t size, const char *pattern,
                     const struct rcap_output_names *names, struct rlog_error *err);

/*
 * Inserts ".<number>" before the suffix: "a/trace.bin" and 1 give "a/trace.1.bin".
 *
 * Return: 0, -RLOG_E_FULL.
 */
int rcap_output_number(char *out, size_t size, const char *name, uint64_t number);

/* True if the pattern has the conversion (such as 'p'), and it is not escaped. */
bool rcap_output_has(const char *pattern, char conversion);

/* Renames a file to a name that is free; never replaces a file. Return: 0, or -1 and errno:
 * EEXIST. */
int rcap_output_rename_to_free(const char *from, const char *to);

#endif
