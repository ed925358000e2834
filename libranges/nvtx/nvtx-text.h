/* SPDX-License-Identifier: MIT */
/* Texts that programs hand to NVTX's calls, of whatever kind, on their way to a string id. */
#ifndef RCAP_NVTX_TEXT_H
#define RCAP_NVTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "libranges/record/thread.h"
#include "libranges/record/wide.h"

/* A text as UTF-8 bytes; wide ones go through `utf8`, so the struct must stay where it is. */
struct rcap_nvtx_text {
	const char *bytes;
	size_t length;
	size_t full_length; /* if it is known to be more than length */
	char utf8[RCAP_WIDE_BYTES];
};

/* Takes the one of the two that is not NULL. Return: false, and counted, if it can't be read. */
bool rcap_nvtx_text_take(struct rcap_nvtx_text *text, const char *narrow, const wchar_t *wide);

/*
 * Takes a message as attribute structs hold it: RCAP_NVTX_MESSAGE_… and a pointer.
 *
 * Return: false if there is none, or, counted, an unknown type, a wild handle, a bad address.
 */
bool rcap_nvtx_text_take_message(struct rcap_nvtx_text *text, int32_t type, const void *message);

/* String id; a name that finds no place is counted. Context: as rcap_names_intern(). */
uint32_t rcap_nvtx_text_intern(struct rcap_thread *thread, const struct rcap_nvtx_text *text);

#endif
