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

/* A text as UTF-8 bytes. A wide text is converted into `utf8`, and `bytes` then points there, so
 * the struct must not be moved. */
struct rcap_nvtx_text {
	const char *bytes;
	size_t length;
	size_t full_length; /* the whole length, if it is known to be more than `length` */
	char utf8[RCAP_WIDE_BYTES];
};

/* Takes the text that is not NULL, of a narrow and a wide one. Return: false if it can't be read;
 * this is counted. */
bool rcap_nvtx_text_take(struct rcap_nvtx_text *text, const char *narrow, const wchar_t *wide);

/*
 * Takes a message from an attribute struct: RCAP_NVTX_MESSAGE_… and a pointer.
 *
 * Return: false if there is no message. Also false for an unknown type, a wild handle or a bad
 * address; these are counted.
 */
bool rcap_nvtx_text_take_message(struct rcap_nvtx_text *text, int32_t type, const void *message);

/* Returns the string id. A name that does not fit is counted. Context: as rcap_names_intern(). */
uint32_t rcap_nvtx_text_intern(struct rcap_thread *thread, const struct rcap_nvtx_text *text);

#endif
