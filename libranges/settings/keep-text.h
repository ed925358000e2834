/* SPDX-License-Identifier: MIT */
/* Parses RANGES_KEEP: how much a capture keeps. */
#ifndef RCAP_KEEP_TEXT_H
#define RCAP_KEEP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest text, with its NUL. */
#define RCAP_KEEP_TEXT_BYTES 64

/* The bounds of what is kept. 0 means that there is no such bound. */
struct rcap_keep_text {
	uint64_t ns;
	uint64_t bytes;
};

/*
 * Parses a time (30s, 500ms, 5m, 1h), a size (64M, 2G), or both with a comma between.
 *
 * @why: gets one line if the text is refused. @size: of why. Context: any thread; no allocation.
 */
bool rcap_keep_text_parse(const char *text, struct rcap_keep_text *out, char *why, size_t size);

#endif
