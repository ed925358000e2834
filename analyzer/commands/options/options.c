/* SPDX-License-Identifier: MIT */
/* The options of a command out of the table of all: for getopt, for --help, and for shells. */
#include "analyzer/commands/options/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/commands/options/nearest.h"

#define COLUMNS 80
#define TEXT    25 /* the column of what an option does */
#define MOST    64 /* options of a command */

/* Options that getopt knows of the command at hand. One program, one command. */
static struct {
	const char *command;
	struct option longs[MOST + 1];
	char letters[3 * MOST + 2];
} known;

/* Whether a command takes it; *is_named: its help only names it. */
static bool has(const struct ra_cmd_option *row, const char *command, bool *is_named)
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

static int find_argument(const struct ra_cmd_option *row)
{
	return row->value == NULL     ? no_argument
	       : row->value[0] == '[' ? optional_argument
	                              : required_argument;
}

static void begin(const char *command)
{
	size_t count = 0;
	size_t length = 0;
	bool is_named;

	if (known.command != NULL) {
		return;
	}
	known.command = command;
	opterr = 0;
	known.letters[length++] = ':'; /* tell what lacks its value from what there is not */
	for (const struct ra_cmd_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (count < MOST && has(row, command, &is_named)) {
			known.longs[count++] =
				(struct option){ row->name, find_argument(row), NULL, row->id };
			if (row->has_letter) {
				known.letters[length++] = row->id;
				if (row->value != NULL) {
					known.letters[length++] = ':';
				}
			}
		}
	}
}

static const struct option *find_known(int id)
{
	for (size_t i = 0; known.longs[i].name != NULL; i++) {
		if (known.longs[i].val == id) {
			return &known.longs[i];
		}
	}
	return NULL;
}

/* One line on stderr, with where to look. */
static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *format, ...)
{
	const bool is_default = strcmp(known.command, "analyze") == 0;
	va_list list;

	fputs("analyzer: ", stderr);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "; see analyzer %s%s--help\n", is_default ? "" : known.command,
	        is_default ? "" : " ");
}

/* The first command that has an option, whose commands are `length` bytes. Return: NULL if none. */
static const char *find_owner(const char *name, size_t name_length, int letter, int *length)
{
	for (const struct ra_cmd_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (name == NULL ? row->has_letter && row->id == letter
		                 : strlen(row->name) == name_length &&
		                           memcmp(row->name, name, name_length) == 0) {
			const char *owner = row->commands + (row->commands[0] == '*');

			*length = (int) strcspn(owner, " ");
			return owner;
		}
	}
	return NULL;
}

/* A word with two dashes that is none of the options, or the beginning of several. */
static void refuse_long(const char *word)
{
	const size_t length = strcspn(word + 2, "=");
	struct ra_cmd_nearest nearest;
	struct ra_util_text several = { 0 };
	size_t count = 0;
	int owner_length = 0;
	const char *owner = find_owner(word + 2, length, 0, &owner_length);

	ra_cmd_nearest_init(&nearest, word + 2, length);
	for (size_t i = 0; known.longs[i].name != NULL; i++) {
		ra_cmd_nearest_offer(&nearest, known.longs[i].name);
		if (strncmp(known.longs[i].name, word + 2, length) == 0) {
			ra_util_text_format(&several, "%s--%s", count++ == 0 ? "" : ", ",
			                    known.longs[i].name);
		}
	}
	if (count > 1) {
		tell("option '%s' may be %.*s", word, (int) several.length, several.bytes);
	} else if (owner != NULL) {
		tell("unrecognized option '%s' (`analyzer %.*s` has it)", word, owner_length,
		     owner);
	} else if (nearest.best != NULL) {
		tell("unrecognized option '%s' (did you mean --%s?)", word, nearest.best);
	} else {
		tell("unrecognized option '%s'", word);
	}
	ra_util_text_free(&several);
}

/* What is wrong with an option, as getopt left it. */
static void refuse(char **argv, bool lacks_value)
{
	const char *word = argv[optind - 1];
	const struct option *option = optopt == 0 ? NULL : find_known(optopt);
	int length = 0;
	const char *owner = find_owner(NULL, 0, optopt, &length);

	if (lacks_value) {
		tell("option '%s' needs a value", word);
	} else if (option != NULL) {
		tell("option '--%s' takes no value", option->name);
	} else if (optopt != 0 && owner != NULL) {
		tell("unrecognized option '-%c' (`analyzer %.*s` has it)", optopt, length, owner);
	} else if (optopt != 0) {
		tell("unrecognized option '-%c'", optopt);
	} else {
		refuse_long(word);
	}
}

int ra_cmd_options_next(const char *command, int argc, char **argv)
{
	int id;

	begin(command);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	id = getopt_long(argc, argv, known.letters, known.longs, NULL);
	if (id == '?' || id == ':') {
		refuse(argv, id == ':');
		id = '?';
	}
	return id;
}

const char *ra_cmd_options_find_name(int id)
{
	const struct ra_cmd_option *row = ra_cmd_option_table;

	while (row->name != NULL && row->id != id) {
		row++;
	}
	return row->name;
}

/* "  -f, --format FORM" */
static void put_head(struct ra_util_text *text, const struct ra_cmd_option *row)
{
	const bool is_part = row->value != NULL && row->value[0] == '[';

	if (row->has_letter) {
		ra_util_text_format(text, "  -%c, ", row->id);
	} else {
		ra_util_text_format(text, "      ");
	}
	ra_util_text_format(text, "--%s", row->name);
	if (row->value != NULL) {
		ra_util_text_format(text, "%s%s", is_part ? "" : " ", row->value);
	}
}

/* Words from the text's column on, in lines of 80, behind a line's head of `used` columns. */
static void put_words(struct ra_util_text *text, const char *words, size_t used)
{
	size_t column = used;
	bool is_first = true;

	while (*words != '\0') {
		const size_t length = strcspn(words, " ");
		const size_t width = ra_util_text_width(words, length);

		if (is_first || column + 1 + width > COLUMNS) {
			if (column + 2 > TEXT) {
				ra_util_text_put_char(text, '\n');
				column = 0;
			}
			ra_util_text_fill(text, ' ', TEXT - column);
			column = TEXT;
		} else {
			ra_util_text_put_char(text, ' ');
			column++;
		}
		ra_util_text_put(text, words, length);
		column += width;
		words += length + strspn(words + length, " ");
		is_first = false;
	}
	ra_util_text_put_char(text, '\n');
}

/* "As for `analyzer stats`: --names FORM, …", what the help names only. */
static void put_named(struct ra_util_text *text, const char *command)
{
	struct ra_util_text names = { 0 };
	bool is_named;

	for (const struct ra_cmd_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (has(row, command, &is_named) && is_named) {
			ra_util_text_format(&names, "%s--%s", names.length == 0 ? "" : ", ",
			                    row->name);
		}
	}
	if (names.length > 0) {
		ra_util_text_format(
			text, "      How logs and traces are read, as by `analyzer stats`:\n");
		ra_util_text_put_char(&names, '\0');
		put_words(text, names.bytes, 0);
	}
	ra_util_text_free(&names);
}

void ra_cmd_options_put_help(struct ra_util_text *text, const char *command)
{
	bool is_named;

	for (const struct ra_cmd_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (row->text != NULL && has(row, command, &is_named) && !is_named) {
			struct ra_util_text head = { 0 };

			put_head(&head, row);
			ra_util_text_put(text, head.bytes, head.length);
			put_words(text, row->text, head.length);
			ra_util_text_free(&head);
		}
	}
	put_named(text, command);
}

void ra_cmd_options_put_list(struct ra_util_text *text, const char *command)
{
	bool is_named;

	for (const struct ra_cmd_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (has(row, command, &is_named)) {
			ra_util_text_format(text, "--%s\t", row->name);
			if (row->has_letter) {
				ra_util_text_format(text, "-%c", row->id);
			}
			ra_util_text_format(text, "\t%s\t%s\t%s\n",
			                    row->value == NULL ? "" : row->value,
			                    row->words == NULL ? "" : row->words,
			                    row->text == NULL ? row[-1].text : row->text);
		}
	}
}
