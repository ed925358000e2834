/* SPDX-License-Identifier: MIT */
/* Checks which options of a command go together. */
#include "format/options/pairs.h"

#include <string.h>

/* True if `word` is one of the words, which are separated by blanks. */
static bool has_word(const char *words, const char *word)
{
	const size_t length = strlen(word);

	while (*words != '\0') {
		const size_t next = strcspn(words, " ");

		if (next == length && memcmp(words, word, length) == 0) {
			return true;
		}
		words += next + strspn(words + next, " ");
	}
	return false;
}

/* Finds the value with which an option was given; "" if it takes none. Return: NULL if the option
 * was not given. */
static const char *find_given(const struct rlog_options *options, const char *name)
{
	for (size_t i = 0; i < options->count; i++) {
		if (options->given[i] != NULL && strcmp(options->rows[i]->name, name) == 0) {
			return options->given[i];
		}
	}
	return NULL;
}

/* True if a row holds for this value of its other option. */
static bool is_about(const struct rlog_option_pair *pair, const char *value)
{
	return pair->values == NULL || (pair->values[0] == '!' ? !has_word(pair->values + 1, value)
	                                                       : has_word(pair->values, value));
}

/* Checks an option against a row. Return: false, with options->why filled, if the option breaks the
 * row's rule. */
static bool check_pair(struct rlog_options *options, const struct rlog_option_pair *pair,
                       const char *option)
{
	const char *value = find_given(options, pair->other);
	const bool is_there = value != NULL && is_about(pair, value);
	const char *why = pair->why == NULL ? "" : pair->why;

	if (is_there == pair->is_needed) {
		return true;
	}
	if (pair->is_needed) {
		snprintf(options->why, sizeof(options->why), "--%s needs --%s%s", option,
		         pair->other, why);
	} else {
		snprintf(options->why, sizeof(options->why), "--%s: not with --%s%s%.100s%s",
		         option, pair->other, pair->values == NULL ? "" : " ",
		         pair->values == NULL ? "" : value, why);
	}
	return false;
}

bool rlog_pairs_check(struct rlog_options *options)
{
	if (options->pairs == NULL) {
		return true;
	}
	for (const struct rlog_option_pair *pair = options->pairs; pair->command != NULL; pair++) {
		if (!has_word(pair->command, options->command)) {
			continue;
		}
		for (size_t i = 0; i < options->count; i++) {
			if (options->given[i] != NULL &&
			    has_word(pair->options, options->rows[i]->name) &&
			    !check_pair(options, pair, options->rows[i]->name)) {
				return false;
			}
		}
	}
	return true;
}

/* Prints a row's other option and the values for which the row holds, like "--format other than
 * table" or "--compat hta". */
static void print_other(FILE *out, const struct rlog_option_pair *pair)
{
	fprintf(out, "--%s", pair->other);
	if (pair->values != NULL) {
		fprintf(out, pair->values[0] == '!' ? " other than %s" : " %s",
		        pair->values + (pair->values[0] == '!'));
	}
}

void rlog_pairs_print(FILE *out, const struct rlog_option_pair *pairs, const char *command,
                      const char *option)
{
	static const char *const heads[] = { "not with ", "only with " };
	const char *between = "";

	for (int is_needed = 0; pairs != NULL && is_needed < 2; is_needed++) {
		const char *head = heads[is_needed];

		for (const struct rlog_option_pair *pair = pairs; pair->command != NULL; pair++) {
			if (pair->is_needed == (is_needed == 1) &&
			    has_word(pair->command, command) && has_word(pair->options, option)) {
				fprintf(out, "%s%s", head[0] == '\0' ? ", " : between, head);
				print_other(out, pair);
				head = "";
				between = "; ";
			}
		}
	}
}
