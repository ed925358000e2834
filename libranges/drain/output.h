/* SPDX-License-Identifier: MIT */
/* Names of logs: from the pattern of RANGES_OUTPUT to a file name. */
#ifndef RCAP_OUTPUT_H
#define RCAP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

/* What the name of a log is made of. */
struct rcap_output_names {
	const char *host;
	const char *rank; /* NULL: not known, %r gives "0" */
	int64_t pid;
	uint32_t cycle;    /* of a capture that has several; 0: it has one */
	uint32_t snapshot; /* its number; 0: it is none */
	unsigned attempt;  /* 0 for the first try; the caller counts up while the name is taken
	                      (O_EXCL), and begins behind names that others have a claim to */
	bool is_root;      /* the process the user started: it may have the plain name */
};

/*
 * Makes the name for one process and attempt. %p pid, %h host, %r rank, %n attempt + 1, %c the
 * cycle (1 if there is one), %% percent sign, %q{NAME} the value of an environment variable. So
 * that no two processes want one name, a pattern without %p and %n gets ".<pid>" before its suffix
 * for processes that are not the root (with %r: not the first of their rank), and from the second
 * attempt on; from the third attempt on (with %p: from the second on) also
 * ".<number>". Cycles without %c get ".c<cycle>" before all of these, and snapshots then
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

/* True if the pattern holds the conversion (such as 'p'), and it is not escaped. */
bool rcap_output_has(const char *pattern, char conversion);

/* Gives a file a name that is free, and takes nobody else's. Return: 0, or -1 and errno: EEXIST. */
int rcap_output_rename_to_free(const char *from, const char *to);

#endif
