/* SPDX-License-Identifier: MIT */
/* Turns texts of any kind that programs pass to NVTX's calls into string ids. */
#ifndef RCAP_NVTX_TEXT_H
#define RCAP_NVTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "libranges/record/thread.h"
#include "libranges/record/names/wide.h"

/* A text as UTF-8 bytes. Wide ones are converted to `utf8`, so the struct must not be moved. */
struct rcap_nvtx_text {
	const char *bytes;
	size_t length;
	size_t full_length; /* if known to be more than length */
	char utf8[RCAP_WIDE_BYTES];
};

/* Takes whichever of the two is not NULL. Return: false, and counted, if it can't be read. */
bool rcap_nvtx_text_take(struct rcap_nvtx_text *text, const char *narrow, const wchar_t *wide);

/*
 * Takes a message from an attribute struct: RCAP_NVTX_MESSAGE_… and a pointer.
 *
 * Return: false if there is none. An unknown type, a wild handle and a bad address also give false,
 * and are counted.
 */
bool rcap_nvtx_text_take_message(struct rcap_nvtx_text *text, int32_t type, const void *message);

/* String id; a name that does not fit is counted. Context: as rcap_names_intern(). */
uint32_t rcap_nvtx_text_intern(struct rcap_thread *thread, const struct rcap_nvtx_text *text);

#endif
