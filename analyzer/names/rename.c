/* SPDX-License-Identifier: MIT */
/* A user's rules for names: parses them, and applies them by the C library's regular
 * expressions. */
#include "analyzer/names/rename.h"

#include <ctype.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define GROUPS 10 /* the whole match and \1 … \9 */

/* A piece of a replacement: a text, then a group of the match. */
struct piece {
	size_t start; /* offset in the rule's text */
	size_t length;
	int group; /* the group after the text; -1: none */
};

struct rule {
	regex_t regex;
	struct ra_util_text text; /* owned: the texts of the pieces */
	struct piece *pieces;     /* owned */
	size_t piece_count;
	size_t piece_capacity;
	bool is_global;
};

struct ra_rename {
	struct rule *rules; /* owned */
	size_t count;
	size_t capacity;
};

struct ra_rename *ra_rename_create(void)
{
	return ra_alloc_zeros(1, sizeof(struct ra_rename));
}

static void free_rule(struct rule *rule)
{
	ra_util_text_free(&rule->text);
	free(rule->pieces);
}

void ra_rename_destroy(struct ra_rename *rename)
{
	if (rename == NULL) {
		return;
	}
	for (size_t i = 0; i < rename->count; i++) {
		regfree(&rename->rules[i].regex);
		free_rule(&rename->rules[i]);
	}
	free(rename->rules);
	free(rename);
}

static int refuse(struct rlog_error *err, const char *why)
{
	return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "%s", why);
}

/* Finds the next delimiter that has no backslash before it. NULL: there is none. */
static const char *find_delimiter(const char *text, char delimiter)
{
	while (*text != '\0' && *text != delimiter) {
		text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
	}
	return *text == delimiter ? text : NULL;
}

/* The parts of a rule: where each starts. The delimiter follows each part. */
struct parts {
	const char *regex;
	const char *replacement;
	const char *flags;
	char delimiter;
	int regex_flags;
	bool is_global;
};

static int compile_regex(struct rule *rule, const struct parts *parts, struct rlog_error *err)
{
	const char *start = parts->regex;
	const char *end = parts->replacement - 1;
	struct ra_util_text text = { 0 };
	char why[150];
	int code;

	if (start == end) {
		return refuse(err, "the expression is empty");
	}
	for (const char *at = start; at < end; at++) {
		at += at[0] == '\\' && at[1] == parts->delimiter;
		ra_util_text_put_char(&text, *at);
		/* a backslash escapes one character, so the second of \\ escapes nothing */
		if (at[0] == '\\') {
			ra_util_text_put_char(&text, *++at);
		}
	}
	ra_util_text_put_char(&text, '\0');
	code = regcomp(&rule->regex, text.bytes, REG_EXTENDED | parts->regex_flags);
	ra_util_text_free(&text);
	if (code == 0) {
		return 0;
	}
	if (code == REG_ESPACE) {
		ra_alloc_end();
	}
	regerror(code, &rule->regex, why, sizeof(why));
	return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "the expression: %s", why);
}

static void add_piece(struct rule *rule, size_t start, int group)
{
	RA_UTIL_APPEND(rule->pieces, rule->piece_count, rule->piece_capacity,
	               (struct piece){
			       .start = start,
			       .length = rule->text.length - start,
			       .group = group,
		       });
}

static int parse_replacement(struct rule *rule, const struct parts *parts, struct rlog_error *err)
{
	const char *end = parts->flags - 1;
	size_t start = 0;

	for (const char *at = parts->replacement; at < end; at++) {
		int group = *at == '&' ? 0 : -1;

		if (at[0] == '\\') {
			at++;
			if (isdigit((unsigned char) *at)) {
				group = *at - '0';
			} else if (*at != '&' && *at != '\\' && *at != parts->delimiter) {
				return refuse(err, "the replacement: after a \\ only 0 to 9, &, "
				                   "\\ and the delimiter have a meaning");
			}
		}
		if (group > (int) rule->regex.re_nsub) {
			return rlog_error_set(
				err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
				"the replacement uses \\%d, but the expression has %zu group%s",
				group, rule->regex.re_nsub,
				ra_util_text_plural(rule->regex.re_nsub));
		}
		if (group < 0) {
			ra_util_text_put_char(&rule->text, *at);
		} else {
			add_piece(rule, start, group);
			start = rule->text.length;
		}
	}
	add_piece(rule, start, -1);
	return 0;
}

static int find_parts(struct parts *parts, const char *rule, struct rlog_error *err)
{
	const char delimiter = rule[0] == 's' ? rule[1] : '\0';
	const char *end;

	if (delimiter == '\0' || delimiter == '\\' || !isgraph((unsigned char) delimiter) ||
	    isalnum((unsigned char) delimiter)) {
		return refuse(err, "a rule is s/EXPRESSION/REPLACEMENT/");
	}
	parts->delimiter = delimiter;
	parts->regex = rule + 2;
	end = find_delimiter(parts->regex, delimiter);
	if (end == NULL) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "there is no %c after the expression", delimiter);
	}
	parts->replacement = end + 1;
	end = find_delimiter(parts->replacement, delimiter);
	if (end == NULL) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
		                      "there is no %c after the replacement", delimiter);
	}
	parts->flags = end + 1;
	for (const char *flag = parts->flags; *flag != '\0'; flag++) {
		if (*flag != 'g' && *flag != 'i') {
			return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
			                      "after the rule only g and i may stand, not \"%s\"",
			                      flag);
		}
		parts->is_global |= *flag == 'g';
		parts->regex_flags |= *flag == 'i' ? REG_ICASE : 0;
	}
	return 0;
}

int ra_rename_add(struct ra_rename *rename, const char *rule, struct rlog_error *err)
{
	struct parts parts = { 0 };
	struct rule made = { 0 };
	int rc = find_parts(&parts, rule, err);

	if (rc == 0) {
		rc = compile_regex(&made, &parts, err);
	}
	if (rc != 0) {
		return rc;
	}
	made.is_global = parts.is_global;
	rc = parse_replacement(&made, &parts, err);
	if (rc != 0) {
		regfree(&made.regex);
		free_rule(&made);
		return rc;
	}
	RA_UTIL_APPEND(rename->rules, rename->count, rename->capacity, made);
	return 0;
}

/* Puts the line number before the message. */
static void add_line_number(struct rlog_error *err, unsigned long line)
{
	struct rlog_error inner = *err;

	rlog_error_set(err, inner.code, RLOG_NO_OFFSET, "line %lu: %s", line, inner.message);
}

int ra_rename_add_file(struct ra_rename *rename, const char *path, struct rlog_error *err)
{
	FILE *file = fopen(path, "re");
	unsigned long line = 0;
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length;
	int rc = 0;

	if (file == NULL) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot open");
	}
	while (rc == 0 && (length = getline(&text, &capacity, file)) >= 0) {
		line++;
		while (length > 0 && strchr("\r\n", text[length - 1]) != NULL) {
			text[--length] = '\0';
		}
		if (strlen(text) != (size_t) length) {
			rc = refuse(err, "there is a zero byte in it");
		} else if (length > 0 && text[0] != '#') {
			rc = ra_rename_add(rename, text, err);
		}
		if (rc != 0) {
			add_line_number(err, line);
		}
	}
	if (rc == 0 && ferror(file)) {
		rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot read");
	}
	free(text);
	(void) fclose(file);
	return rc;
}

static void put_replacement(struct ra_util_text *text, const struct rule *rule, const char *from,
                            const regmatch_t *match)
{
	for (size_t i = 0; i < rule->piece_count; i++) {
		const struct piece *piece = &rule->pieces[i];

		if (piece->length > 0) { /* the text of an empty piece may be NULL */
			ra_util_text_put(text, rule->text.bytes + piece->start, piece->length);
		}
		if (piece->group >= 0 && match[piece->group].rm_so >= 0) {
			const regmatch_t *group = &match[piece->group];

			ra_util_text_put(text, from + group->rm_so,
			                 (size_t) (group->rm_eo - group->rm_so));
		}
	}
}

/* Appends the first character of the rest, with all its bytes in UTF-8. Return: the place after
 * it. */
static const char *put_character(struct ra_util_text *text, const char *at)
{
	do {
		ra_util_text_put_char(text, *at++);
	} while (((unsigned char) *at & 0xC0) == 0x80);
	return at;
}

/*
 * @from: the name, followed by a zero byte.
 * Return: true: `text` is the name with the matches replaced; false: nothing matched.
 */
static bool apply_rule(const struct rule *rule, const struct ra_util_text *from,
                       struct ra_util_text *text)
{
	regmatch_t match[GROUPS];
	const char *at = from->bytes;
	const char *end = from->bytes + from->length - 1;
	bool is_behind_match = false;
	int count = 0;

	ra_util_text_clear(text);
	while (count < RA_RENAME_REPLACEMENTS && (count == 0 || rule->is_global)) {
		const int code =
			regexec(&rule->regex, at, GROUPS, match, count > 0 ? REG_NOTBOL : 0);

		if (code == REG_ESPACE) {
			ra_alloc_end();
		}
		if (code != 0) {
			break;
		}
		/* As in sed, an empty match directly after another match is ignored. */
		if (!is_behind_match || match[0].rm_eo > 0) {
			count++;
			ra_util_text_put(text, at, (size_t) match[0].rm_so);
			put_replacement(text, rule, at, match);
			at += match[0].rm_eo;
		}
		is_behind_match = match[0].rm_so < match[0].rm_eo;
		if (!is_behind_match) { /* go on after the next character */
			if (*at == '\0') {
				break;
			}
			at = put_character(text, at);
		}
	}
	ra_util_text_put(text, at, (size_t) (end - at));
	ra_util_text_put_char(text, '\0');
	return count > 0;
}

static void swap(struct ra_util_text *a, struct ra_util_text *b)
{
	const struct ra_util_text old = *a;

	*a = *b;
	*b = old;
}

bool ra_rename_apply(const struct ra_rename *rename, struct rlog_string name,
                     struct ra_util_text *text)
{
	struct ra_util_text from = { 0 };
	bool is_matched = false;

	ra_util_text_put(&from, name.bytes, name.length);
	ra_util_text_put_char(&from, '\0');
	for (size_t i = 0; i < rename->count; i++) {
		if (from.length > UINT32_MAX) {
			ra_alloc_end();
		}
		if (apply_rule(&rename->rules[i], &from, text)) {
			swap(&from, text);
			is_matched = true;
		}
	}
	if (is_matched) {
		swap(&from, text);
		text->length--; /* remove the zero byte */
	}
	ra_util_text_free(&from);
	return is_matched;
}
