/* SPDX-License-Identifier: MIT */
/* Writes events while they are drawn. */
#ifndef RA_PFTRACE_STREAM_H
#define RA_PFTRACE_STREAM_H

#include "analyzer/io/outbuf.h"
#include "analyzer/pftrace/pftrace-events.h"

struct ra_pftrace_stream;

/*
 * Begins before the first drawing. If packets can be inserted into this file later, that drawing
 * writes the events, and the packets that belong before them are inserted at the end. Otherwise it
 * only collects what these packets need, and a second drawing writes the events. The bytes are the
 * same.
 *
 * Rows may come by turns, but each in order of time.
 *
 * Return: owned by ra_pftrace_stream_end(), which must be called.
 */
struct ra_pftrace_stream *ra_pftrace_stream_begin(struct ra_pftrace *trace, struct ra_outbuf *out);

/*
 * Finishes the file after the first drawing.
 *
 * @draw: draws the same once more.
 *
 * Return: false if a row was not in order of time. Then the output is empty: draw into another
 * trace, which holds the events.
 */
bool ra_pftrace_stream_end(struct ra_pftrace_stream *stream, void (*draw)(void *context),
                           void *context);

#endif
