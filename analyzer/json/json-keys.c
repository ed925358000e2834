/* SPDX-License-Identifier: MIT */
/* Numbers the keys. Remembers which key follows which, and the text between them. Records are
 * alike, so this predicts the next key. */
#include "analyzer/json/json-keys.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"

#define MAX_KEY_BYTES 64u

void ra_json_keys_init(struct ra_json_keys *keys)
{
	memset(keys, 0, sizeof(*keys));
	/* 0xFF occurs in no JSON, so guesses with this text never match. */
	for (size_t i = 0; i < 2 * (size_t) RA_JSON_KEYS; i++) {
		for (unsigned j = 0; j < 2; j++) {
			memset(keys->guesses[i][j].text, 0xFF, sizeof(keys->guesses[i][j].text));
			memset(keys->guesses[i][j].mask, 0xFF, sizeof(keys->guesses[i][j].mask));
		}
	}
}

void ra_json_keys_fini(struct ra_json_keys *keys)
{
	for (unsigned i = 1; i <= keys->count; i++) {
		free(keys->keys[i].text);
	}
	memset(keys, 0, sizeof(*keys));
}

unsigned ra_json_keys_find(struct ra_json_keys *keys, const char *text, size_t length)
{
	const unsigned slots = sizeof(keys->slots) / sizeof(keys->slots[0]);
	uint32_t hash = (uint32_t) length;
	unsigned slot;

	if (length > MAX_KEY_BYTES) {
		return 0;
	}
	for (size_t i = 0; i < length; i++) {
		hash = (hash ^ (unsigned char) text[i]) * UINT32_C(16777619);
	}
	for (slot = (hash ^ hash >> 15) % slots; keys->slots[slot] != 0;
	     slot = (slot + 1) % slots) {
		const struct ra_json_key *key = &keys->keys[keys->slots[slot]];

		if (key->length == length && memcmp(key->text, text, length) == 0) {
			return keys->slots[slot];
		}
	}
	if (keys->count == RA_JSON_KEYS - 1) {
		return 0;
	}
	keys->slots[slot] = (uint16_t) ++keys->count;
	keys->keys[keys->count].text = ra_alloc_bytes(length + 1);
	keys->keys[keys->count].length = length;
	memcpy(keys->keys[keys->count].text, text, length);
	return keys->count;
}

void ra_json_keys_learn(struct ra_json_keys *keys, unsigned place, const char *text, size_t length,
                        unsigned key)
{
	struct ra_json_guess *guesses = keys->guesses[place];

	if (length > RA_JSON_KEYS_BYTES || key == 0) {
		return;
	}
	guesses[1] = guesses[0];
	memset(&guesses[0], 0, sizeof(guesses[0]));
	memcpy(guesses[0].text, text, length);
	memset(guesses[0].mask, 0xFF, length);
	guesses[0].length = (uint32_t) length;
	guesses[0].key = key;
}
