/* SPDX-License-Identifier: MIT */
/* Reads JSON text as a stream of calls, and tolerates what is known to be wrong in people's
 * files. */
#ifndef RA_JSON_READ_H
#define RA_JSON_READ_H

#include "analyzer/json/json.h"

/*
 * Reads the whole text. Text that is not JSON is no error: it is skipped up to the next record that
 * begins well. If there is none, the reading ends and json->stop says so; what came before was
 * handed over.
 *
 * Time: linear. A record that is given up is read again from its inside, 1 MiB and twice the text
 * in all. Beyond that, a record ends where a strong key begins another one in it.
 *
 * Memory: 200 KiB, and twice the longest text or record, of which at most 64 MiB are kept.
 */
void ra_json_read_all(struct ra_json *json);

#endif
