/* SPDX-License-Identifier: MIT */
/* Writes the log from which a trace in JSON was made into that trace, and finds it there. */
#ifndef RA_JSON_LOG_H
#define RA_JSON_LOG_H

#include "analyzer/io/outbuf.h"
#include "format/read/reader.h"

struct ra_kineto;

/*
 * JSON has no form for much that a log has: raw payloads, waits for locks, losses, the threads of a
 * range. So the trace has the whole log under its last key, and we read that instead of the events
 * (doc/architecture.md, section 6). A checksum of the text before the log tells whether somebody
 * changed the events since. If so, the events are read, and the log is not.
 */

/* A larger log is not embedded, because a reader of the JSON must hold all of it in memory. */
#define RA_JSON_LOG_MAX_BYTES (UINT64_C(1) << 30)

/* Writes ,"libranges":{…}. The buffer's has_crc must have been set since it was empty. */
void ra_json_log_put(struct ra_outbuf *out, const struct rlog_reader *reader);

/* Looks for that key in the text while it is read. Zero-initialise. */
struct ra_json_log_watch {
	bool has_begun;
	bool is_ours;    /* the text begins like our output; other texts are not searched */
	bool is_found;   /* the key was found; `crc` is the CRC of all text before it */
	uint8_t matched; /* the text so far ends with this many characters of the key */
	uint32_t crc;
};

void ra_json_log_watch(struct ra_json_log_watch *watch, const char *bytes, size_t count);

enum ra_json_log_state {
	RA_JSON_LOG_NONE,
	RA_JSON_LOG_CHANGED, /* the text before the log is not the text that was written with it */
	RA_JSON_LOG_DAMAGED, /* the log can't be read */
	RA_JSON_LOG_THERE,
};

/*
 * Opens the log inside a trace.
 *
 * @watch: must have seen the whole text.
 * Return: what was found; *out is set only for RA_JSON_LOG_THERE.
 */
enum ra_json_log_state ra_json_log_open(struct rlog_reader **out, const struct ra_kineto *kineto,
                                        const struct ra_json_log_watch *watch);

#endif
