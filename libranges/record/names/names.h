/* SPDX-License-Identifier: MIT */
/* Names: each distinct text gets one id and is stored once in the arena. */
#ifndef RCAP_NAMES_H
#define RCAP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The end of a name is searched within this many bytes. */
#define RCAP_NAMES_LOOK_BYTES 65536u

/*
 * Makes an empty table. Call it at the start of a capture, also in a fork child.
 *
 * Return: false if there is no memory. Context: rcap_process_start() only.
 */
bool rcap_names_reset(void);

/*
 * Finds or makes the id of a text.
 *
 * @bytes, @length: the text; it is cut to RANGES_STRING_MAX bytes.
 * @full_length: length of the whole text, if that is known to be more than `length`.
 * @copy: gets the address of the NUL-terminated copy in the arena; NULL if the text was cut or
 * could not be stored. May be NULL.
 * @lost: set to true if the table is full and the id is that of the placeholder.
 * Return: id ≥ 1; 0 if even the placeholder could not be stored.
 * Context: any thread, not under rcap_process_lock; no malloc; lock-free if the text is known.
 */
uint32_t rcap_names_intern(const char *bytes, size_t length, size_t full_length, const char **copy,
                           bool *lost);

/*
 * Finds or makes the id of a detail (doc/format.md, section 1). A detail is never cut, because
 * RANGES_STRING_MAX is only for texts.
 *
 * Return: 0 if it is longer than RLOG_MAX_STRING_BYTES, or there is no room. Context: as
 * rcap_names_intern().
 */
uint32_t rcap_names_intern_detail(const void *bytes, size_t length);

/* Returns the hash of a text, which is the same for the whole life of the process image. */
uint32_t rcap_names_hash(const char *bytes, size_t length);

#endif
