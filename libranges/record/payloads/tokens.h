/* SPDX-License-Identifier: MIT */
/* The handles that NVTX hands to programs for resources and sync objects. Unlike domains and
 * strings, the program makes them one by one and gives them back. */
#ifndef RCAP_TOKENS_H
#define RCAP_TOKENS_H

#include <stdint.h>

#include "libranges/record/names/handles.h"

enum rcap_token_kind {
	RCAP_TOKEN_RESOURCE = 1,
	RCAP_TOKEN_SYNC = 2,
};

/* Written under the lock, before any thread has its address. */
struct rcap_token {
	_Atomic uint32_t kind; /* 0: free. Stored with release after the other members; loaded with
	                        * acquire before them */
	uint32_t domain;
	uint64_t id;                    /* id; never used again in a process image */
	const struct rcap_handle *name; /* NULL: there is no name */
	uint64_t identifier;            /* of a resource */
	uint32_t type;                  /* of a resource: NVTX's identifierType */
	uint32_t next_free;             /* index + 1 */
	uint64_t pad[3];
};

_Static_assert(sizeof(struct rcap_token) == 64, "a power of two: a check needs no division");

/*
 * Makes a token, and its definition in the log. In a domain that is left out, makes only the token.
 *
 * @wanted: domain, name, identifier and type; the rest is filled in.
 * Return: the handle for the program; NULL if 65536 tokens are in use.
 * Context: any thread, capture started; no malloc.
 */
const struct rcap_token *rcap_tokens_make(enum rcap_token_kind kind,
                                          const struct rcap_token *wanted);

/*
 * Finds the token for a pointer that a program gave us.
 *
 * Return: NULL for NULL, wild pointers, tokens of another kind, and tokens that were given back.
 * Context: any thread, signal handlers; a few instructions.
 */
const struct rcap_token *rcap_tokens_check(const void *pointer, enum rcap_token_kind kind);

/*
 * Records that the program has given a token back, and frees its place. A pointer that is not a
 * token is counted. For a domain that is left out, nothing is recorded.
 *
 * @function: number of the NVTX function (doc/format.md section 14).
 * Context: any thread.
 */
void rcap_tokens_end(const void *pointer, enum rcap_token_kind kind, uint32_t function);

/* Returns the string id of the token's name in this capture; 0 if it has none. @lost: as in
 * rcap_names_intern(). */
uint32_t rcap_tokens_name(const struct rcap_token *token, bool *lost);

/* Writes the definitions of all tokens to a new capture. Context: rcap_process_start() only. */
void rcap_tokens_replay(void);

#endif
