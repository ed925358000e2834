/* SPDX-License-Identifier: MIT */
/* Numbers texts. Formats in protobuf have each text once; after that, they have only its number. */
#ifndef RA_PROTOBUF_TEXTS_H
#define RA_PROTOBUF_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/protobuf/protobuf-write.h"

/* Texts numbered from 1. Zero-initialise. */
struct ra_protobuf_texts {
	struct ra_protobuf_bytes bytes; /* the texts, one after the other */
	size_t *ends; /* owned; text i is bytes[ends[i - 1] … ends[i]); ends[0] is 0 */
	size_t capacity;
	uint32_t count;
	uint32_t *slots; /* owned; numbers of texts, by hash; 0: free */
	size_t slot_count;
};

void ra_protobuf_texts_fini(struct ra_protobuf_texts *texts);

/* Adds a text unless it is there already. Return: its number; equal texts have the same number. */
uint32_t ra_protobuf_texts_put(struct ra_protobuf_texts *texts, const void *text, size_t length);

/* Finds a text by its number. Return: the text; no NUL follows it. */
const char *ra_protobuf_texts_get(const struct ra_protobuf_texts *texts, uint32_t number,
                                  size_t *length);

#endif
