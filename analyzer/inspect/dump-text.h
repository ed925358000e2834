/* SPDX-License-Identifier: MIT */
/* Writes the lines of `analyzer dump`: a word for the kind of line, then key=value pairs. */
#ifndef RA_DUMP_TEXT_H
#define RA_DUMP_TEXT_H

#include "analyzer/inspect/dump-events.h"
#include "analyzer/io/outbuf.h"
#include "format/read/reader.h"

struct ra_dump_text;

/*
 * Makes the printer of a log's lines.
 *
 * @reader: borrowed; must live longer than the printer.
 * @out: borrowed; gets the lines.
 */
struct ra_dump_text *ra_dump_text_create(const struct rlog_reader *reader, struct ra_outbuf *out);

void ra_dump_text_destroy(struct ra_dump_text *text);

/* Writes "event STREAM ORDINAL TICKS OP key=value…". */
void ra_dump_text_event(struct ra_dump_text *text, const struct ra_dump_events_row *row);

/* Writes "capture KEY=VALUE" and "end KEY=VALUE". */
void ra_dump_text_facts(struct ra_dump_text *text, const char *word, const struct rlog_fact *facts,
                        size_t count);

/* Writes "string ID "TEXT"" for all strings. */
void ra_dump_text_strings(struct ra_dump_text *text);

/* Writes "def KIND key=value…", "clock …", "loss …", "damage …", for each of these that the log
 * has. */
void ra_dump_text_defs(struct ra_dump_text *text);
void ra_dump_text_clock(struct ra_dump_text *text);
void ra_dump_text_losses(struct ra_dump_text *text);
void ra_dump_text_damages(struct ra_dump_text *text);

/* Writes one damaged stretch that was found only when the events were decoded. */
void ra_dump_text_bad_chunk(struct ra_dump_text *text, const struct rlog_chunk *chunk,
                            const struct rlog_error *err);

/*
 * Writes bytes in quotes as C does: \" \\ \n \t \r, \xNN for control characters and for bytes that
 * are not UTF-8; \uNNNN for characters that would control a terminal.
 */
void ra_dump_text_quote(struct ra_outbuf *out, const char *bytes, size_t count);

#endif
