/* SPDX-License-Identifier: MIT */
/* What an option means: `analyzer help graph-capture`. */
#include "analyzer/commands/option-help.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/base/util-text.h"
#include "analyzer/commands/help-fold.h"
#include "analyzer/commands/list.h"

#define COLUMN 25 /* where the text of an option begins */

/* A piece of a command's help: an option's line and those that go on with it. */
struct block {
	const char *bytes;
	size_t length;
};

static size_t line_length(const char *line)
{
	const size_t length = strcspn(line, "\n");

	return length + (line[length] == '\n');
}

/* The long name that a line begins with. Return: its length; 0: the line is of no option. */
static size_t find_name(const char *line, const char **name)
{
	const size_t indent = strspn(line, " ");
	const char *at = line + indent;

	if (indent == 0 || indent >= COLUMN) {
		return 0;
	}
	if (at[0] == '-' && at[1] != '-' && strncmp(at + 2, ", --", 4) == 0) {
		at += 4; /* "-f, --format" */
	}
	if (strncmp(at, "--", 2) != 0) {
		return 0;
	}
	*name = at + 2;
	return strcspn(*name, " =[,\n");
}

static struct block take_block(const char *line)
{
	struct block block = { line, line_length(line) };

	while (strspn(line + block.length, " ") >= COLUMN) {
		block.length += line_length(line + block.length);
	}
	return block;
}

/* What a command's help says of the option; length 0: nothing. */
static struct block find_block(const struct ra_cmd *command, const char *word)
{
	const char *name = NULL;

	for (const char *line = command->help; *line != '\0'; line += line_length(line)) {
		const size_t length = find_name(line, &name);

		if (length > 0 && length == strlen(word) && memcmp(name, word, length) == 0) {
			return take_block(line);
		}
	}
	return (struct block){ NULL, 0 };
}

static void print_block(const struct block *block)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put(&text, block->bytes, block->length);
	ra_util_text_put_char(&text, '\0');
	ra_help_fold_print(text.bytes);
	ra_util_text_free(&text);
}

bool ra_option_help_print(const char *word)
{
	const struct ra_cmd *command;
	struct block best = { NULL, 0 };
	const char *between = "\nOption of ";

	word += strspn(word, "-");
	for (size_t i = 0; (command = ra_cmd_list_get(i)) != NULL; i++) {
		const struct block block = find_block(command, word);

		best = block.length > best.length ? block : best; /* others refer to it */
	}
	if (best.length == 0) {
		return false;
	}
	print_block(&best);
	for (size_t i = 0; (command = ra_cmd_list_get(i)) != NULL; i++) {
		if (find_block(command, word).length > 0) {
			printf("%s%s", between, command->name);
			between = ", ";
		}
	}
	printf("; analyzer(1) has it all.\n");
	return true;
}
