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
	const char *rank; /* NULL: unknown, and %r gives "0" */
	int64_t pid;
	uint32_t cycle;    /* number of the cycle; 0 if the capture has only one */
	uint32_t snapshot; /* number of the snapshot; 0 if this is not a snapshot */
	/* 0 for the first try. The caller adds 1 as long as the name is taken (O_EXCL). In some
	 * processes the first try begins with a later name, because earlier ones are for other
	 * processes. */
	unsigned attempt;
	bool is_root; /* true if the user started this process, so that it may have the plain
	               * name */
};

/*
 * Makes the name for one process and attempt. Conversions: %p pid, %h host, %r rank, %n attempt +
 * 1, %c the cycle (1 if there is only one), %% percent sign, %q{NAME} the value of an environment
 * variable.
 *
 * No two processes may try the same name. So a pattern without %p and %n gets ".<pid>" before its
 * suffix. A process that is the root gets it from the second attempt on, other processes always.
 * (With %r: the first process of a rank instead of the root.) From the third attempt on (with %p:
 * from the second on) it also gets ".<number>". Without %c a cycle gets ".c<cycle>" before all of
 * these. A snapshot then gets ".s<number>".
 *
 * @size: size of out; RCAP_CONFIG_PATH_BYTES is the usual one.
 * Return: 0; -RLOG_E_ARGUMENT: unknown conversion, or %q of a variable that is not set or contains
 * "/" or ".."; -RLOG_E_FULL: too long. err->offset is the place in the pattern.
 * Context: any thread; no allocation; reads the environment by secure_getenv.
 */
int rcap_output_make(char *out, size_t size, const char *pattern,
                     const struct rcap_output_names *names, struct rlog_error *err);

/*
 * Inserts ".<number>" before the suffix: "a/trace.bin" and 1 give "a/trace.1.bin".
 *
 * Return: 0, -RLOG_E_FULL.
 */
int rcap_output_number(char *out, size_t size, const char *name, uint64_t number);

/* True if the pattern has the conversion (such as 'p'), unescaped. */
bool rcap_output_has(const char *pattern, char conversion);

/* Renames a file to a name that is free. Never replaces a file. Return: 0, or -1 and errno, such as
 * EEXIST. */
int rcap_output_rename_to_free(const char *from, const char *to);

#endif
