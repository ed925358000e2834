/* SPDX-License-Identifier: MIT */
/* Reads the rows that ranges/device.h submits: begins and ends of kernel sections, and launches. */
#ifndef RA_SECTION_ROWS_H
#define RA_SECTION_ROWS_H

#include "analyzer/model/model.h"

/* The kinds of rows: see doc/format.md, section 16. */
enum ra_section_rows_kind {
	RA_SECTION_ROWS_NONE,
	RA_SECTION_ROWS_RECORDS,
	RA_SECTION_ROWS_LAUNCHES,
};

/* For rows of each kind, their size in bytes and the offsets of their fields. All fields are
 * unsigned. */
#define RA_SECTION_RECORD_BYTES   48u
#define RA_SECTION_RECORD_TIME    0u  /* 8 bytes */
#define RA_SECTION_RECORD_CLOCK   8u  /* 8 bytes */
#define RA_SECTION_RECORD_BUFFER  16u /* 8 bytes */
#define RA_SECTION_RECORD_NAME    24u /* 8 bytes */
#define RA_SECTION_RECORD_SM      32u /* 4 bytes, like the fields after it */
#define RA_SECTION_RECORD_BLOCK   36u
#define RA_SECTION_RECORD_ID_END  40u
#define RA_SECTION_RECORD_LAUNCH  44u
#define RA_SECTION_LAUNCH_BYTES   16u
#define RA_SECTION_LAUNCH_BUFFER  0u /* 8 bytes */
#define RA_SECTION_LAUNCH_LAUNCH  8u /* 4 bytes */
#define RA_SECTION_LAUNCH_DROPPED 12u

/*
 * Finds the rows that a call submitted.
 *
 * @data: the data of the call.
 * @rows, @count: get the rows, which are not aligned, and their number; bytes after the last whole
 * row are ignored.
 * Return: RA_SECTION_ROWS_NONE: the call submitted something else.
 */
enum ra_section_rows_kind ra_section_rows_find(const struct ra_model *model,
                                               const struct ra_data *data, const uint8_t **rows,
                                               size_t *count);

#endif
