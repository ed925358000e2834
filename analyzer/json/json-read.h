/* SPDX-License-Identifier: MIT */
/* JSON text as a stream of calls, read over what is known to be wrong in the files people have. */
#ifndef RA_JSON_READ_H
#define RA_JSON_READ_H

#include "analyzer/json/json.h"

/*
 * Reads all there is. Text that is no JSON is no error here: it is left out up to the next record
 * that begins well. If there is none, the reading ends: json->stop says so, and what came before
 * it was handed over.
 *
 * Time: linear. What is given up is read again from within, 1 MiB and twice the text in all; beyond
 * that a record ends where a strong key begins another in it.
 *
 * Memory: 200 KiB, and twice the longest text or record, of which 64 MiB are kept at most.
 */
void ra_json_read_all(struct ra_json *json);

#endif
