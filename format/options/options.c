/* SPDX-License-Identifier: MIT */
/* Options of a program's commands from one table: for getopt, for --help, for completions. */
#include "format/options/options.h"

#include <string.h>

#include "format/options/nearest.h"
#include "format/options/pairs.h"

#define COLUMNS 79
#define TEXT    25 /* column at which the options' texts begin */

/* getopt returns FIRST + i for row i. This is above all letters. */
#define FIRST 256

/* True if a command takes the option. *is_named: set if the command's help only names it. */
static bool has(const struct rlog_option *row, const char *command, bool *is_named)
{
	const size_t length = strlen(command);
	const char *at = row->commands;

	while (*at != '\0') {
		const bool is_marked = *at == '*';
		const size_t word = strcspn(at + is_marked, " ");

		at += is_marked;
		if (word == length && memcmp(at, command, length) == 0) {
			*is_named = is_marked;
			return true;
		}
		at += word + strspn(at + word, " ");
	}
	return false;
}

/* ---- Parsing ---- */

static int find_argument(const struct rlog_option *row)
{
	return row->value == NULL     ? no_argument
	       : row->value[0] == '[' ? optional_argument
	                              : required_argument;
}

/* Appends a row's letter, if it has one, to getopt's letters. Return: their new length. */
static size_t add_letter(char *letters, size_t length, const struct rlog_option *row)
{
	if (row->has_letter) {
		letters[length++] = row->id;
	}
	if (row->has_letter && row->value != NULL) {
		letters[length++] = ':';
	}
	return length;
}

static void begin(struct rlog_options *options)
{
	size_t length = 0;
	bool is_named;

	opterr = 0;
	if (options->ends_at_operand) {
		options->letters[length++] = '+';
	}
	options->letters[length++] = ':'; /* makes getopt distinguish a missing value from an
	                                   * unknown option */
	for (const struct rlog_option *row = options->table; row->name != NULL; row++) {
		if (options->count < RLOG_OPTIONS_MOST && has(row, options->command, &is_named)) {
			options->longs[options->count] =
				(struct option){ row->name, find_argument(row), NULL,
				                 FIRST + (int) options->count };
			options->rows[options->count++] = row;
			length = add_letter(options->letters, length, row);
		}
	}
}

/* Returns the row for getopt's result or optopt; NULL if there is none. */
static const struct rlog_option *find_row(const struct rlog_options *options, int value)
{
	if (value >= FIRST) {
		return options->rows[value - FIRST];
	}
	for (size_t i = 0; i < options->count; i++) {
		if (options->rows[i]->has_letter && options->rows[i]->id == value) {
			return options->rows[i];
		}
	}
	return NULL;
}

/* Finds the first command with an option of this name or letter. Return: false if there is none. */
static bool find_owner(const struct rlog_options *options, const char *name, size_t name_length,
                       int letter, char *out, size_t size)
{
	for (const struct rlog_option *row = options->table; row->name != NULL; row++) {
		if (name == NULL ? row->has_letter && row->id == letter
		                 : strlen(row->name) == name_length &&
		                           memcmp(row->name, name, name_length) == 0) {
			const char *owner = row->commands + (row->commands[0] == '*');

			snprintf(out, size, "%.*s", (int) strcspn(owner, " "), owner);
			return true;
		}
	}
	return false;
}

/* Refuses a word with two dashes that is not an option, or is the beginning of several options. */
static void refuse_long(struct rlog_options *options, const char *word)
{
	const size_t length = strcspn(word + 2, "=");
	struct rlog_nearest nearest;
	char owner[32];
	char several[160] = "";
	size_t used = 0;
	size_t count = 0;

	rlog_nearest_init(&nearest, word + 2, length);
	for (size_t i = 0; i < options->count; i++) {
		const char *name = options->rows[i]->name;

		rlog_nearest_offer(&nearest, name);
		if (strncmp(name, word + 2, length) == 0 &&
		    used + strlen(name) + 8 < sizeof(several)) {
			used += (size_t) snprintf(several + used, sizeof(several) - used, "%s--%s",
			                          count++ == 0 ? "" : ", ", name);
		}
	}
	if (count > 1) {
		snprintf(options->why, sizeof(options->why), "option '%.100s' may be %s", word,
		         several);
	} else if (find_owner(options, word + 2, length, 0, owner, sizeof(owner))) {
		snprintf(options->why, sizeof(options->why),
		         "unrecognized option '%.200s' (`%s %s` has it)", word, options->program,
		         owner);
	} else if (nearest.best != NULL) {
		snprintf(options->why, sizeof(options->why),
		         "unrecognized option '%.200s' (did you mean --%s?)", word, nearest.best);
	} else {
		snprintf(options->why, sizeof(options->why), "unrecognized option '%.300s'", word);
	}
}

/* Sets options->why to what is wrong with an option that getopt has refused. */
static void refuse(struct rlog_options *options, char **argv, bool lacks_value)
{
	const struct rlog_option *row = optopt == 0 ? NULL : find_row(options, optopt);
	char owner[32];

	if (lacks_value) {
		snprintf(options->why, sizeof(options->why), "option '--%s' needs a value",
		         row != NULL ? row->name : "");
	} else if (row != NULL) {
		snprintf(options->why, sizeof(options->why), "option '--%s' takes no value",
		         row->name);
	} else if (optopt == 0) {
		refuse_long(options, argv[optind - 1]);
	} else if (find_owner(options, NULL, 0, optopt, owner, sizeof(owner))) {
		snprintf(options->why, sizeof(options->why),
		         "unrecognized option '-%c' (`%s %s` has it)", optopt, options->program,
		         owner);
	} else {
		snprintf(options->why, sizeof(options->why), "unrecognized option '-%c'", optopt);
	}
}

/* Keeps the value that was given for an option. Return: the option's row. */
static const struct rlog_option *note_given(struct rlog_options *options,
                                            const struct rlog_option *row)
{
	for (size_t i = 0; i < options->count; i++) {
		if (options->rows[i] == row) {
			options->given[i] = optarg != NULL ? optarg : "";
		}
	}
	return row;
}

const struct rlog_option *rlog_options_next(struct rlog_options *options, int argc, char **argv)
{
	int value;

	if (options->letters[0] == '\0') {
		begin(options);
	}
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	value = getopt_long(argc, argv, options->letters, options->longs, NULL);
	if (value == '?' || value == ':') {
		refuse(options, argv, value == ':');
		return NULL;
	}
	if (value == -1) {
		(void) rlog_pairs_check(options);
		return NULL;
	}
	return note_given(options, find_row(options, value));
}

const char *rlog_options_find_name(const struct rlog_option *table, int id)
{
	while (table->name != NULL && table->id != id) {
		table++;
	}
	return table->name;
}

/* ---- Help ---- */

/* Counts the columns of UTF-8 text. The texts of options have no wide characters. */
static size_t measure(const char *bytes, size_t length)
{
	size_t columns = 0;

	for (size_t i = 0; i < length; i++) {
		columns += ((unsigned char) bytes[i] & 0xC0) != 0x80;
	}
	return columns;
}

/* Prints the head of an option's help, like "  -f, --format FORM". Return: its columns. */
static size_t print_head(FILE *out, const struct rlog_option *row)
{
	const char *gap = row->value == NULL || row->value[0] == '[' ? "" : " ";
	char letter[8] = "      ";

	if (row->has_letter) {
		snprintf(letter, sizeof(letter), "  -%c, ", row->id);
	}
	return (size_t) fprintf(out, "%s--%s%s%s", letter, row->name, gap,
	                        row->value == NULL ? "" : row->value);
}

/* Prints words in the texts' column, broken into lines. @column: how many columns of the first line
 * are printed already. Return: number of lines. */
static size_t print_words(FILE *out, const char *words, size_t column)
{
	bool is_first = true;
	size_t lines = 1;

	while (*words != '\0') {
		const size_t length = strcspn(words, " ");
		const size_t width = measure(words, length);

		if (is_first || column + 1 + width > COLUMNS) {
			if (column + 2 > TEXT) {
				fputc('\n', out);
				column = 0;
				lines++;
			}
			fprintf(out, "%*s", (int) (TEXT - column), "");
			column = TEXT;
		} else {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int) length, words);
		column += width;
		words += length + strspn(words + length, " ");
		is_first = false;
	}
	fputc('\n', out);
	return lines;
}

/* Prints the names of the options that the command's help only names. */
static size_t print_named(FILE *out, const struct rlog_option *table, const char *command,
                          const char *named)
{
	char names[512] = "";
	size_t used = 0;
	bool is_named;

	for (const struct rlog_option *row = table; row->name != NULL; row++) {
		if (has(row, command, &is_named) && is_named &&
		    used + strlen(row->name) + 8 < sizeof(names)) {
			used += (size_t) snprintf(names + used, sizeof(names) - used, "%s--%s",
			                          used == 0 ? "" : ", ", row->name);
		}
	}
	if (used == 0) {
		return 0;
	}
	fprintf(out, "      %s\n", named);
	return 1 + print_words(out, names, 0);
}

size_t rlog_options_print_row(FILE *out, const struct rlog_option *row)
{
	return print_words(out, row->text, print_head(out, row));
}

size_t rlog_options_print_help(FILE *out, const struct rlog_option *table, const char *command,
                               const char *named)
{
	size_t lines = 0;
	bool is_named;

	for (const struct rlog_option *row = table; row->name != NULL; row++) {
		if (row->text != NULL && has(row, command, &is_named) && !is_named) {
			lines += rlog_options_print_row(out, row);
		}
	}
	return lines + print_named(out, table, command, named);
}

void rlog_options_print_list(FILE *out, const struct rlog_option *table,
                             const struct rlog_option_pair *pairs, const char *command)
{
	bool is_named;

	for (const struct rlog_option *row = table; row->name != NULL; row++) {
		if (has(row, command, &is_named)) {
			fprintf(out, "--%s\t", row->name);
			if (row->has_letter) {
				fprintf(out, "-%c", row->id);
			}
			fprintf(out, "\t%s\t%s\t%s\t%s\t%s\t", row->value == NULL ? "" : row->value,
			        row->words == NULL ? "" : row->words,
			        row->text == NULL ? row[-1].text : row->text, is_named ? "*" : "",
			        row->variable == NULL ? "" : row->variable);
			rlog_pairs_print(out, pairs, command, row->name);
			fputc('\n', out);
		}
	}
}
