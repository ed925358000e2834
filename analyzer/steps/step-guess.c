/* SPDX-License-Identifier: MIT */
/* Finds ranges that are steps by their names, if nothing else tells what a step is. */
#include "analyzer/steps/step-guess.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"

#define MOST_LENGTH 64

/* Words of lower-case ASCII letters; words that more likely mean a step come first. */
static const char *const words[] = { "step",       "trainstep",    "trainingstep",   "timestep",
	                             "iteration",  "iter",         "trainiteration", "trainiter",
	                             "trainbatch", "trainingbatch" };

#define WORDS (sizeof(words) / sizeof(words[0]))

_Static_assert(WORDS == RA_STEP_GUESSES, "there is room for a pattern of each word");

/* Finds the word of which a name consists, ignoring digits and separators. Return: its index;
 * WORDS: none. */
static size_t find_word(struct rlog_string name)
{
	char letters[MOST_LENGTH + 1];
	size_t count = 0;

	if (name.length > MOST_LENGTH) {
		return WORDS;
	}
	for (uint32_t i = 0; i < name.length; i++) {
		const unsigned char c = (unsigned char) name.bytes[i];

		if (isalpha(c)) {
			letters[count++] = (char) tolower(c);
		} else if (!isdigit(c) && strchr(" _-:.#[]()/=", c) == NULL) {
			return WORDS;
		}
	}
	letters[count] = '\0';
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(letters, words[i]) == 0) {
			return i;
		}
	}
	return WORDS;
}

bool ra_step_guess_may_be(struct rlog_string name)
{
	char letters[MOST_LENGTH + 1];
	size_t count = 0;

	for (uint32_t i = 0; i < name.length; i++) {
		const unsigned char c = (unsigned char) name.bytes[i];

		if (isalpha(c) && count == MOST_LENGTH) {
			return false;
		}
		if (isalpha(c)) {
			letters[count++] = (char) tolower(c);
		}
	}
	letters[count] = '\0';
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(letters, words[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Makes "step #" of "step 12". Characters that are special in a pattern get a backslash. */
static char *make_pattern(struct rlog_string name)
{
	char text[2 * MOST_LENGTH + 1];
	size_t length = 0;

	for (uint32_t i = 0; i < name.length; i++) {
		const char c = name.bytes[i];

		if (isdigit((unsigned char) c)) {
			if (i == 0 || !isdigit((unsigned char) name.bytes[i - 1])) {
				text[length++] = '#';
			}
			continue;
		}
		if (c == '#' || c == '*' || c == '\\') {
			text[length++] = '\\';
		}
		text[length++] = c;
	}
	text[length] = '\0';
	return ra_alloc_copy(text);
}

void ra_step_guess_list(struct ra_step_guesses *guesses, const struct ra_model *model)
{
	uint32_t first[WORDS]; /* by word: name of the first range whose name has the word */
	uint8_t *known =
		ra_alloc_zeros(model->name_count + 1, 1); /* by name: the name was tested already */

	memset(guesses, 0, sizeof(*guesses));
	for (size_t i = 0; i < WORDS; i++) {
		first[i] = RA_NONE;
	}
	for (size_t i = 0; i < model->slices.count; i++) {
		const uint32_t name = model->slices.name[i];

		if (!known[name]) {
			const size_t word = find_word(ra_model_string(model, name));

			known[name] = 1;
			if (word < WORDS && first[word] == RA_NONE) {
				first[word] = name;
			}
		}
	}
	free(known);
	for (size_t i = 0; i < WORDS; i++) {
		if (first[i] != RA_NONE) {
			guesses->patterns[guesses->count++] =
				make_pattern(ra_model_string(model, first[i]));
		}
	}
}

void ra_step_guess_free(struct ra_step_guesses *guesses)
{
	for (size_t i = 0; i < guesses->count; i++) {
		free(guesses->patterns[i]);
	}
	memset(guesses, 0, sizeof(*guesses));
}
