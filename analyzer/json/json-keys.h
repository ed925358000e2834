/* SPDX-License-Identifier: MIT */
/* Numbers the keys. Remembers which key follows which, and the text between them. Records are
 * alike, so this predicts the next key. */
#ifndef RA_JSON_KEYS_H
#define RA_JSON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analyzer/json/json.h"

/* Texts between two values are predicted up to this length: `, "correlation": ` has 17 bytes. */
#define RA_JSON_KEYS_BYTES 32

/* The unit of a comparison: so many bytes are compared at once. */
typedef uint64_t ra_json_keys_block __attribute__((vector_size(16)));

struct ra_json_key {
	char *text; /* owned */
	size_t length;
};

/* The text that was read after a place, up to the next value. mask: 0xFF for each byte of the
 * text. */
struct ra_json_guess {
	ra_json_keys_block text[RA_JSON_KEYS_BYTES / sizeof(ra_json_keys_block)];
	ra_json_keys_block mask[RA_JSON_KEYS_BYTES / sizeof(ra_json_keys_block)];
	uint32_t length;
	uint32_t key;
};

/* A guess belongs to a place. Place i is the end of the value of key i. Place RA_JSON_KEYS + i is
 * the start of the object that is the value of key i. Each place has its newest guess and the one
 * before. */
struct ra_json_keys {
	struct ra_json_key keys[RA_JSON_KEYS]; /* by key number; [0] is unused */
	unsigned count;
	uint16_t slots[2 * RA_JSON_KEYS]; /* by hash of the text: a key number; 0: free */
	struct ra_json_guess guesses[2 * RA_JSON_KEYS][2];
};

void ra_json_keys_init(struct ra_json_keys *keys);
void ra_json_keys_fini(struct ra_json_keys *keys);

/* The number of a key. A key seen for the first time gets a number now. 0: no number is left, or
 * the key is too long. */
unsigned ra_json_keys_find(struct ra_json_keys *keys, const char *text, size_t length);

/* Remembers the text from a place up to the value of the key that came next. */
void ra_json_keys_learn(struct ra_json_keys *keys, unsigned place, const char *text, size_t length,
                        unsigned key);

static inline bool ra_json_keys_fits(const struct ra_json_guess *guess, const char *at)
{
	ra_json_keys_block other[RA_JSON_KEYS_BYTES / sizeof(ra_json_keys_block)];

	memcpy(other, at, sizeof(other));
	other[0] = ((other[0] ^ guess->text[0]) & guess->mask[0]) |
	           ((other[1] ^ guess->text[1]) & guess->mask[1]);
	return (other[0][0] | other[0][1]) == 0;
}

/* The guess for a place that matches the text at `at`; NULL: none matches. RA_JSON_KEYS_BYTES of
 * the text must be readable. */
static inline const struct ra_json_guess *ra_json_keys_guess(const struct ra_json_keys *keys,
                                                             unsigned place, const char *at)
{
	const struct ra_json_guess *guesses = keys->guesses[place];

	if (ra_json_keys_fits(&guesses[0], at)) {
		return &guesses[0];
	}
	return ra_json_keys_fits(&guesses[1], at) ? &guesses[1] : NULL;
}

#endif
