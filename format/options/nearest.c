/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the word of a list that is most like the typed one. */
#include "format/options/nearest.h"

#include <string.h>

#define SIZE (RLOG_NEAREST_BYTES + 1)

static size_t find_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the Levenshtein distance of two words, where swapping two neighbours is one step, too.
 * Computes its table row by row; both words are short. */
static size_t measure(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][SIZE];

	for (size_t j = 0; j <= b_length; j++) {
		rows[0][j] = j;
	}
	for (size_t i = 1; i <= a_length; i++) {
		size_t *const row = rows[i % 3];
		const size_t *const above = rows[(i + 2) % 3];
		const size_t *const two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			const size_t differs = a[i - 1] != b[j - 1];

			row[j] = find_least(above[j], row[j - 1]) + 1;
			row[j] = find_least(row[j], above[j - 1] + differs);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
				row[j] = find_least(row[j], two_above[j - 2] + 1);
			}
		}
	}
	return rows[a_length % 3][b_length];
}

void rlog_nearest_init(struct rlog_nearest *nearest, const char *word, size_t length)
{
	memset(nearest, 0, sizeof(*nearest));
	nearest->word = word;
	nearest->length = length;
	/* A word of three letters may have one wrong letter. In longer words a third of the letters
	 * may be wrong. */
	nearest->distance = length / 3 + 1;
}

void rlog_nearest_offer(struct rlog_nearest *nearest, const char *word)
{
	const size_t length = strlen(word);

	if (nearest->length == 0 || nearest->length >= SIZE || length >= SIZE) {
		return;
	}
	/* The beginning of a word, such as kern of kernels, is near, too. */
	const size_t distance = nearest->length > 2 && length > nearest->length &&
	                                        memcmp(word, nearest->word, nearest->length) == 0
	                                ? 1
	                                : measure(nearest->word, nearest->length, word, length);

	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->best = word;
	}
}
