/* SPDX-License-Identifier: MIT */
/* Prints data and details for `analyzer dump`: payloads, arguments of calls, parts of definitions,
 * each as key=value. */
#ifndef RA_DUMP_DATA_H
#define RA_DUMP_DATA_H

#include "analyzer/model/defs.h"
#include "analyzer/inspect/dump-events.h"
#include "analyzer/io/outbuf.h"

/*
 * Prints one value: a number, a "text", 0xADDRESS, #AARRGGBB, null, hex"0A0B" for bytes, 2:"NAME"
 * for a number with a name, [value,…] or {key=value,…}.
 */
struct ra_dump_data;

/* Makes the printer. It borrows both arguments, which must live longer. */
struct ra_dump_data *ra_dump_data_create(const struct rlog_reader *reader, struct ra_outbuf *out);
void ra_dump_data_destroy(struct ra_dump_data *data);

/* The log's definitions, borrowed. */
const struct ra_defs *ra_dump_data_borrow_defs(const struct ra_dump_data *data);

/* Writes the data of an event, as " payload.FIELD=value…", " ARGUMENT=value…". */
void ra_dump_data_put_event(struct ra_dump_data *data, const struct ra_dump_events_row *row);

/* Writes the detail of a definition. Return: false if we know no detail for its kind. */
bool ra_dump_data_put_def(struct ra_dump_data *data, const struct rlog_def *def);

#endif
