/* SPDX-License-Identifier: MIT */
/* Rules for figures of summaries: a file of lines such as "step.p99 < 20ms". */
#include "analyzer/check/check-rules.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define BIT(subject) (1u << RA_CHECK_##subject)
#define NAMED        (BIT(RANGE) | BIT(KERNEL) | BIT(COLLECTIVE) | BIT(MEMCPY) | BIT(API))

static const char *const subject_words[] = {
	[RA_CHECK_STEP] = "step",     [RA_CHECK_GPU] = "gpu",
	[RA_CHECK_INPUT] = "",        [RA_CHECK_RANGE] = "range",
	[RA_CHECK_KERNEL] = "kernel", [RA_CHECK_COLLECTIVE] = "collective",
	[RA_CHECK_MEMCPY] = "memcpy", [RA_CHECK_API] = "api",
};

#define SUBJECTS (sizeof(subject_words) / sizeof(subject_words[0]))

static const struct {
	const char *word;
	enum ra_check_unit unit;
	unsigned subjects; /* that have it */
} figures[] = {
	[RA_CHECK_CALLS] = { "calls", RA_CHECK_NUMBER, NAMED | BIT(STEP) },
	[RA_CHECK_TOTAL] = { "total", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_MEAN] = { "mean", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_MIN] = { "min", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_MAX] = { "max", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_P50] = { "p50", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_P90] = { "p90", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_P99] = { "p99", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_IMBALANCE] = { "imbalance", RA_CHECK_NUMBER, NAMED | BIT(STEP) },
	[RA_CHECK_SELF] = { "self", RA_CHECK_TIME, BIT(RANGE) },
	[RA_CHECK_CUDA] = { "cuda", RA_CHECK_TIME, BIT(RANGE) },
	[RA_CHECK_BYTES] = { "bytes", RA_CHECK_NUMBER, BIT(MEMCPY) },
	[RA_CHECK_ERRORS] = { "errors", RA_CHECK_NUMBER, BIT(API) },
	[RA_CHECK_BUSY] = { "busy", RA_CHECK_SHARE, BIT(GPU) },
	[RA_CHECK_IDLE] = { "idle", RA_CHECK_SHARE, BIT(GPU) },
	[RA_CHECK_EXPOSED] = { "exposed", RA_CHECK_SHARE, BIT(GPU) },
	[RA_CHECK_LOST] = { "lost", RA_CHECK_NUMBER, BIT(INPUT) },
	[RA_CHECK_EVENTS] = { "events", RA_CHECK_NUMBER, BIT(INPUT) },
	[RA_CHECK_INPUTS] = { "inputs", RA_CHECK_NUMBER, BIT(INPUT) },
	[RA_CHECK_INCOMPLETE] = { "incomplete", RA_CHECK_NUMBER, BIT(INPUT) },
	[RA_CHECK_KERNEL_TIME] = { "kernel", RA_CHECK_TIME, BIT(STEP) },
	{ "memcpy", RA_CHECK_TIME, BIT(STEP) },
	{ "memset", RA_CHECK_TIME, BIT(STEP) },
	{ "communication", RA_CHECK_TIME, BIT(STEP) },
	{ "runtime", RA_CHECK_TIME, BIT(STEP) },
	{ "dataloader", RA_CHECK_TIME, BIT(STEP) },
	{ "cpu_exec", RA_CHECK_TIME, BIT(STEP) },
	[RA_CHECK_OTHER_TIME] = { "other", RA_CHECK_TIME, BIT(STEP) },
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

void ra_check_rules_fini(struct ra_check_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		free(rules->rows[i].text);
		free(rules->rows[i].name);
	}
	for (size_t i = 0; i < rules->baseline_count; i++) {
		free(rules->baselines[i]);
	}
	free(rules->rows);
	free(rules->baselines);
	memset(rules, 0, sizeof(*rules));
}

static bool is_word(const char *bytes, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(bytes, word, length) == 0;
}

/* Return: NULL, or what is wrong. */
static const char *take_figure(struct ra_check_rule *rule, const char *word, size_t length)
{
	for (size_t i = 0; i < FIGURES; i++) {
		if (is_word(word, length, figures[i].word) &&
		    (figures[i].subjects >> rule->subject & 1) != 0) {
			rule->figure = (enum ra_check_figure) i;
			rule->unit = figures[i].unit;
			return NULL;
		}
	}
	return "there is no such figure";
}

/* "step.p99", "range[load data].mean", "lost". The name ends at the last bracket: it may hold some.
 * Return: NULL, or what is wrong. */
static const char *take_left(struct ra_check_rule *rule, const char *left, size_t length)
{
	const char *open = memchr(left, '[', length);
	const char *close = open == NULL ? NULL : memrchr(left, ']', length);
	const char *dot = memrchr(left, '.', length);
	size_t subject_length = dot == NULL ? 0 : (size_t) (dot - left);
	size_t subject = 0;

	if (open != NULL) {
		if (close == NULL || dot != close + 1) {
			return "a name stands in brackets, and a point and a figure follow";
		}
		subject_length = (size_t) (open - left);
		rule->name = ra_util_copy(open + 1, (size_t) (close - open - 1));
	}
	while (subject < SUBJECTS && !is_word(left, subject_length, subject_words[subject])) {
		subject++;
	}
	if (subject == SUBJECTS) {
		return "there is no such subject";
	}
	if (((NAMED >> subject & 1) != 0) != (open != NULL)) {
		return open != NULL ? "this subject has no name" : "a name in brackets is missing";
	}
	rule->subject = (enum ra_check_subject) subject;
	left = dot == NULL ? left : dot + 1;
	return take_figure(rule, left,
	                   dot == NULL ? length : length - (size_t) (dot + 1 - rule->text));
}

/* A time as 20ms, a share as 10%, or a number. Return: NULL, or what is wrong. */
static const char *take_limit(struct ra_check_rule *rule, const char *word)
{
	static const struct {
		const char *word;
		enum ra_check_unit unit;
		double factor;
	} units[] = { { "ns", RA_CHECK_TIME, 1 },    { "us", RA_CHECK_TIME, 1e3 },
		      { "ms", RA_CHECK_TIME, 1e6 },  { "s", RA_CHECK_TIME, 1e9 },
		      { "%", RA_CHECK_SHARE, 0.01 }, { "", RA_CHECK_NUMBER, 1 } };
	char *end;
	const double number = strtod(word, &end);

	if (end == word || word[0] < '0' || word[0] > '9') {
		return "after the comparison a number is expected";
	}
	end += strspn(end, " ");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].word) == 0) {
			/* a part of a step may be limited in per cent of it */
			if (units[i].unit == RA_CHECK_SHARE &&
			    rule->figure >= RA_CHECK_KERNEL_TIME) {
				rule->unit = RA_CHECK_SHARE;
			}
			rule->limit = number * units[i].factor;
			return units[i].unit == rule->unit    ? NULL
			       : rule->unit == RA_CHECK_TIME  ? "the limit must be a time: 20ms"
			       : rule->unit == RA_CHECK_SHARE ? "the limit must be a share: 10%"
			                                      : "the limit must be a plain number";
		}
	}
	return "the limit has an unknown unit: ns, us, ms, s, % or none";
}

/* Return: the index of a baseline, + 1. */
static size_t add_baseline(struct ra_check_rules *rules, const char *name, size_t length)
{
	size_t i = 0;

	while (i < rules->baseline_count && !is_word(name, length, rules->baselines[i])) {
		i++;
	}
	if (i == rules->baseline_count) {
		// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
		RA_UTIL_APPEND(rules->baselines, rules->baseline_count, rules->baseline_capacity,
		               ra_util_copy(name, length));
	}
	return i + 1;
}

/*
 * "main.sum", "main.sum * 1.05", "\"my runs\" * 1.05": the same figure of other inputs. A name that
 * begins with a digit, has neither . nor /, or has a * or spaces at its end, stands in quotes.
 * Return: NULL, or what is wrong.
 */
static const char *take_baseline(struct ra_check_rules *rules, struct ra_check_rule *rule,
                                 const char *word)
{
	const bool is_quoted = word[0] == '"';
	const char *name = word + is_quoted;
	size_t length = strcspn(name, is_quoted ? "\"" : "*");
	const char *rest = name + length;
	char *end;

	if (is_quoted && *rest++ != '"') {
		return "a quotation mark is missing";
	}
	while (!is_quoted && length > 0 && name[length - 1] == ' ') {
		length--;
	}
	if (length == 0 || (!is_quoted && memchr(name, '.', length) == NULL &&
	                    memchr(name, '/', length) == NULL)) {
		return "after the comparison a number is expected, or a file (with a . or / in its "
		       "name, or in quotation marks)";
	}
	rule->limit = 1;
	rule->baseline = add_baseline(rules, name, length);
	rest += strspn(rest, " ");
	if (*rest == '\0') {
		return NULL;
	}
	if (*rest == '*') {
		rest++;
		rest += strspn(rest, " ");
		rule->limit = strtod(rest, &end);
		if (*rest >= '0' && *rest <= '9' && *end == '\0') {
			return NULL;
		}
	}
	return "after a file comes nothing, or * and a number";
}

/* Return: NULL, or what is wrong. */
static const char *take_right(struct ra_check_rules *rules, struct ra_check_rule *rule,
                              const char *word)
{
	return word[0] >= '0' && word[0] <= '9' ? take_limit(rule, word)
	                                        : take_baseline(rules, rule, word);
}

/* Return: NULL, or what is wrong. */
static const char *take_rule(struct ra_check_rules *rules, struct ra_check_rule *rule)
{
	static const char *const words[] = { "<=", ">=", "==", "!=", "<", ">" };
	const char *wrong;

	/* the last one: names may hold such words */
	for (size_t at = strlen(rule->text); at-- > 0;) {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const size_t size = strlen(words[i]);
			size_t left =
				at > 0 && size == 1 && strchr("<>=!", rule->text[at - 1]) != NULL
					? 0
					: at;

			if (left == 0 || strncmp(rule->text + at, words[i], size) != 0) {
				continue;
			}
			rule->order = words[i][0];
			rule->or_equal = size == 2 && words[i][0] != '!';
			while (left > 0 && rule->text[left - 1] == ' ') {
				left--;
			}
			wrong = take_left(rule, rule->text, left);
			at += size;
			at += strspn(rule->text + at, " ");
			return wrong != NULL ? wrong : take_right(rules, rule, rule->text + at);
		}
	}
	return "a comparison is missing: < <= > >= == !=";
}

/* A line without what is around the rule: tabs are spaces, and # begins a remark where no name is
 * open. */
static void trim(char *line)
{
	bool is_name = false;
	size_t length;

	for (char *at = line; *at != '\0'; at++) {
		is_name = *at == '[' || (is_name && *at != ']');
		*at = *at == '\t' ? ' ' : *at;
		if (*at == '\n' || *at == '\r' || (*at == '#' && !is_name)) {
			*at = '\0';
			break;
		}
	}
	length = strlen(line);
	while (length > 0 && line[length - 1] == ' ') {
		line[--length] = '\0';
	}
}

/* @place: what the number is of, for whoever wrote it. */
static int add_rule(struct ra_check_rules *rules, const char *text, const char *place,
                    size_t number, struct rlog_error *err)
{
	struct ra_check_rule *rule;
	const char *wrong;

	ra_util_grow(&rules->rows, &rules->capacity, rules->count + 1, sizeof(*rules->rows));
	rule = &rules->rows[rules->count];
	*rule = (struct ra_check_rule){ .text = ra_alloc_copy(text) };
	rules->count++;
	wrong = take_rule(rules, rule);
	return wrong == NULL ? 0
	                     : rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "%s %zu: %s",
	                                      place, number, wrong);
}

int ra_check_rules_add(struct ra_check_rules *rules, const char *text, struct rlog_error *err)
{
	char *line = ra_alloc_copy(text);
	int rc;

	trim(line);
	rc = add_rule(rules, line + strspn(line, " "), "rule", rules->count + 1, err);
	free(line);
	return rc;
}

int ra_check_rules_read(struct ra_check_rules *rules, const char *path, struct rlog_error *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0;
	size_t number = 0;
	int rc = 0;

	if (file == NULL) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
	}
	while (rc == 0 && getline(&line, &capacity, file) > 0) {
		number++;
		trim(line);
		if (line[strspn(line, " ")] != '\0') {
			rc = add_rule(rules, line + strspn(line, " "), "line", number, err);
		}
	}
	if (rc == 0 && ferror(file) != 0) {
		rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
	}
	free(line);
	fclose(file);
	return rc != 0 || rules->count > 0 ? rc
	                                   : rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
	                                                    "there is no rule in it");
}
