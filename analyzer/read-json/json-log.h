/* SPDX-License-Identifier: MIT */
/* The log that a trace in JSON was made of, within that trace: written there, found there again. */
#ifndef RA_JSON_LOG_H
#define RA_JSON_LOG_H

#include "analyzer/io/outbuf.h"
#include "format/read/reader.h"

struct ra_kineto;

/*
 * JSON has no place for much of what a log holds: payloads as they were, waits for locks, losses,
 * what threads a range crosses. So it carries the log too, as the last of its keys, and who reads
 * the JSON reads that (doc/architecture.md, section 6). A checksum of the text before it tells
 * whether somebody has changed the events since: then they are what counts, and the log is not
 * read.
 */

/* Larger logs are not carried: who reads the JSON has all of this in memory. */
#define RA_JSON_LOG_MAX_BYTES (UINT64_C(1) << 30)

/* Writes ,"libranges":{…}. The buffer has had its has_crc since it was empty. */
void ra_json_log_put(struct ra_outbuf *out, const struct rlog_reader *reader);

/* Looks for that key while a text goes by. Zero before the first byte. */
struct ra_json_log_watch {
	bool has_begun;
	bool is_ours;    /* the text begins as we begin it: others are not looked at */
	bool is_found;   /* the key was there: crc is that of all before it */
	uint8_t matched; /* characters of the key that the text so far ends with */
	uint32_t crc;
};

void ra_json_log_watch(struct ra_json_log_watch *watch, const char *bytes, size_t count);

enum ra_json_log_state {
	RA_JSON_LOG_NONE,
	RA_JSON_LOG_CHANGED, /* the text before it is not what was written with it */
	RA_JSON_LOG_DAMAGED, /* it cannot be read */
	RA_JSON_LOG_THERE,
};

/*
 * Opens the log within a trace.
 *
 * @watch: has seen the whole text.
 * Return: what was found; only if it is THERE, *out is set.
 */
enum ra_json_log_state ra_json_log_open(struct rlog_reader **out, const struct ra_kineto *kineto,
                                        const struct ra_json_log_watch *watch);

#endif
