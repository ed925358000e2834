/* SPDX-License-Identifier: MIT */
/* Reads JSON text and hands it over as a stream of calls. Tolerates faults that are known from
 * people's files. */
#ifndef RA_JSON_READ_H
#define RA_JSON_READ_H

#include "analyzer/json/json.h"

/*
 * Reads the whole text. Text that is not JSON is no error: it is skipped up to the next record that
 * begins with a known key. If no such record follows, the reading ends and json->stop says so; all
 * that came before has been handed over.
 *
 * Time: linear. A record that is given up is read again from its inside, up to 1 MiB and twice the
 * text in all. After that, a record ends where an object in it begins with a strong key, because
 * that object is another record.
 *
 * Memory: 200 KiB, and twice the longest string or record; at most 64 MiB of that are kept.
 */
void ra_json_read_all(struct ra_json *json);

#endif
