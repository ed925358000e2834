/* SPDX-License-Identifier: MIT */
/* Computes the identity of a file's content. */
#ifndef RA_SUM_ID_H
#define RA_SUM_ID_H

#include <stddef.h>
#include <stdint.h>

#include "format/error.h"

#define RA_SUM_ID_BYTES 16u

/*
 * The identity of bytes and of the options for reading them: 128 bits, which differ for different
 * contents, except by chance. It does not protect against forgery.
 */
struct ra_sum_id {
	uint64_t lanes[2];
	uint64_t total_bytes;
	uint8_t rest[16]; /* bytes that do not fill a block so far */
	size_t rest_bytes;
};

void ra_sum_id_init(struct ra_sum_id *id);
void ra_sum_id_add(struct ra_sum_id *id, const void *bytes, size_t count);
void ra_sum_id_finish(struct ra_sum_id *id, uint8_t out[RA_SUM_ID_BYTES]);

/*
 * Computes the identity of a regular file and a text.
 *
 * Return: 0; -RLOG_E_SYSTEM; -RLOG_E_NOT_A_FILE: the file can be read only once.
 */
int ra_sum_id_file(const char *path, const char *words, uint8_t out[RA_SUM_ID_BYTES],
                   struct rlog_error *err);

#endif
