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
#define GAUGES       (BIT(GPU_POWER) | BIT(GPU_UTIL) | BIT(GPU_TEMPERATURE) | BIT(GPU_MEMORY))

static const char *const subject_words[] = {
	[RA_CHECK_STEP] = "step",
	[RA_CHECK_GPU] = "gpu",
	[RA_CHECK_INPUT] = "",
	[RA_CHECK_RANGE] = "range",
	[RA_CHECK_KERNEL] = "kernel",
	[RA_CHECK_COLLECTIVE] = "collective",
	[RA_CHECK_MEMCPY] = "memcpy",
	[RA_CHECK_API] = "api",
	[RA_CHECK_GPU_POWER] = "gpu.power",
	[RA_CHECK_GPU_UTIL] = "gpu.util",
	[RA_CHECK_GPU_TEMPERATURE] = "gpu.temp",
	[RA_CHECK_GPU_MEMORY] = "gpu.memory",
};

#define SUBJECTS (sizeof(subject_words) / sizeof(subject_words[0]))

static const struct {
	const char *word;
	enum ra_check_unit unit;
	unsigned subjects; /* a set of bits: the subjects that have the figure */
} figures[] = {
	[RA_CHECK_CALLS] = { "calls", RA_CHECK_NUMBER, NAMED | BIT(STEP) },
	[RA_CHECK_TOTAL] = { "total", RA_CHECK_TIME, NAMED | BIT(STEP) },
	[RA_CHECK_MEAN] = { "mean", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_MIN] = { "min", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_MAX] = { "max", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_P50] = { "p50", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_P90] = { "p90", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_P99] = { "p99", RA_CHECK_TIME, NAMED | BIT(STEP) | GAUGES },
	[RA_CHECK_IMBALANCE] = { "imbalance", RA_CHECK_NUMBER, NAMED | BIT(STEP) },
	[RA_CHECK_SELF] = { "self", RA_CHECK_TIME, BIT(RANGE) },
	[RA_CHECK_CUDA] = { "cuda", RA_CHECK_TIME, BIT(RANGE) },
	[RA_CHECK_ENERGY] = { "energy", RA_CHECK_JOULES,
	                      BIT(RANGE) | BIT(KERNEL) | BIT(STEP) | BIT(GPU) },
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
		free(rules->rows[i].left.name);
		free(rules->rows[i].other.name);
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

static enum ra_check_unit gauge_unit(enum ra_check_subject subject)
{
	switch (subject) {
	case RA_CHECK_GPU_POWER:
		return RA_CHECK_POWER;
	case RA_CHECK_GPU_UTIL:
		return RA_CHECK_SHARE;
	default: /* degrees or bytes */
		return RA_CHECK_NUMBER;
	}
}

#define OF_GAUGES "mean, min, max, p50, p90, p99"
#define OF_NAMES  "calls, total, mean, min, max, p50, p90, p99, imbalance"

/* The message for a figure that the subject lacks. Together with the rule, it must fit into a
 * struct rlog_error. */
static const char *const no_figure[] = {
	[RA_CHECK_STEP] =
		"no such figure; step has " OF_NAMES ", kernel, memcpy, memset, communication, "
		"runtime, dataloader, cpu_exec, other, energy",
	[RA_CHECK_GPU] = "no such figure; gpu has busy, idle, exposed, energy",
	[RA_CHECK_INPUT] =
		"no such figure; expected lost, events, inputs, incomplete, or SUBJECT.FIGURE",
	[RA_CHECK_RANGE] = "no such figure; range has " OF_NAMES ", self, cuda, energy",
	[RA_CHECK_KERNEL] = "no such figure; kernel has " OF_NAMES ", energy",
	[RA_CHECK_COLLECTIVE] = "no such figure; collective has " OF_NAMES,
	[RA_CHECK_MEMCPY] = "no such figure; memcpy has " OF_NAMES ", bytes",
	[RA_CHECK_API] = "no such figure; api has " OF_NAMES ", errors",
	[RA_CHECK_GPU_POWER] = "no such figure; gpu.power has " OF_GAUGES,
	[RA_CHECK_GPU_UTIL] = "no such figure; gpu.util has " OF_GAUGES,
	[RA_CHECK_GPU_TEMPERATURE] = "no such figure; gpu.temp has " OF_GAUGES,
	[RA_CHECK_GPU_MEMORY] = "no such figure; gpu.memory has " OF_GAUGES,
};

/* Return: NULL, or what is wrong. */
static const char *take_figure(struct ra_check_term *term, const char *word, size_t length)
{
	for (size_t i = 0; i < FIGURES; i++) {
		if (is_word(word, length, figures[i].word) &&
		    (figures[i].subjects >> term->subject & 1) != 0) {
			term->figure = (enum ra_check_figure) i;
			term->unit = (GAUGES >> term->subject & 1) != 0 ? gauge_unit(term->subject)
			                                                : figures[i].unit;
			return NULL;
		}
	}
	return no_figure[term->subject];
}

/* Parses a term: "step.p99", "range[load data].mean", "lost". The name ends at the last bracket,
 * because names may contain brackets. Return: NULL, or what is wrong. */
static const char *take_term(struct ra_check_term *term, const char *word, size_t length)
{
	const char *open = memchr(word, '[', length);
	const char *close = open == NULL ? NULL : memrchr(word, ']', length);
	const char *dot = memrchr(word, '.', length);
	const char *figure = dot == NULL ? word : dot + 1;
	size_t subject_length = dot == NULL ? 0 : (size_t) (dot - word);
	size_t subject = 0;

	free(term->name);
	term->name = NULL;
	if (open != NULL) {
		if (close == NULL || dot != close + 1) {
			return "expected a name in brackets, then a point and a figure";
		}
		subject_length = (size_t) (open - word);
	}
	while (subject < SUBJECTS && !is_word(word, subject_length, subject_words[subject])) {
		subject++;
	}
	if (subject == SUBJECTS) {
		return "no such subject; expected step, gpu, range[NAME], kernel[NAME], "
		       "collective[NAME], memcpy[NAME] or api[NAME]";
	}
	if (((NAMED >> subject & 1) != 0) != (open != NULL)) {
		return open != NULL ? "this subject takes no name"
		                    : "this subject needs a name in brackets";
	}
	term->subject = (enum ra_check_subject) subject;
	if (open != NULL) {
		term->name = ra_util_copy(open + 1, (size_t) (close - open - 1));
	}
	return take_figure(term, figure, length - (size_t) (figure - word));
}

/* Parses a limit: a time as 20ms, a share as 10%, or a number. Return: NULL, or what is wrong. */
static const char *take_limit(struct ra_check_rule *rule, const char *word)
{
	static const struct {
		const char *word;
		enum ra_check_unit unit;
		double factor;
	} units[] = { { "ns", RA_CHECK_TIME, 1 },     { "us", RA_CHECK_TIME, 1e3 },
		      { "ms", RA_CHECK_TIME, 1e6 },   { "s", RA_CHECK_TIME, 1e9 },
		      { "%", RA_CHECK_SHARE, 0.01 },  { "", RA_CHECK_NUMBER, 1 },
		      { "W", RA_CHECK_POWER, 1 },     { "kW", RA_CHECK_POWER, 1e3 },
		      { "J", RA_CHECK_JOULES, 1 },    { "kJ", RA_CHECK_JOULES, 1e3 },
		      { "mJ", RA_CHECK_JOULES, 1e-3 } };
	enum ra_check_unit unit;
	char *end;
	const double number = strtod(word, &end);

	if (end == word || word[0] < '0' || word[0] > '9') {
		return "expected a number after the comparison";
	}
	end += strspn(end, " ");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].word) == 0) {
			/* the limit of a part of a step may be in per cent of the step */
			if (units[i].unit == RA_CHECK_SHARE &&
			    rule->left.figure >= RA_CHECK_KERNEL_TIME) {
				rule->left.unit = RA_CHECK_SHARE;
			}
			rule->limit = number * units[i].factor;
			unit = rule->left.unit;
			return units[i].unit == unit     ? NULL
			       : unit == RA_CHECK_TIME   ? "the limit must be a time: 20ms"
			       : unit == RA_CHECK_SHARE  ? "the limit must be a share: 10%"
			       : unit == RA_CHECK_POWER  ? "the limit must be a power: 650W"
			       : unit == RA_CHECK_JOULES ? "the limit must be an energy: 120J"
			                                 : "the limit must be a plain number";
		}
	}
	return "the limit has an unknown unit: ns, us, ms, s, %, W, kW, mJ, J, kJ or none";
}

/* Finds or adds a baseline's file. Return: the baseline's index. */
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
	return i;
}

/* Parses the factor after a figure or file: "" or "* 1.05". Return: NULL, or what is wrong. */
static const char *take_factor(struct ra_check_rule *rule, const char *rest)
{
	char *end;

	rule->limit = 1;
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
	return "expected the end, or * and a number, after a file or figure";
}

/*
 * Parses the same figure of other inputs: "main.sum", "main.sum * 1.05", "\"my runs\" * 1.05". A
 * file name needs quotes if it begins with a digit, has neither . nor /, is the name of a figure,
 * or has a * or spaces at its end. Return: NULL, or what is wrong.
 */
static const char *take_baseline(struct ra_check_rules *rules, struct ra_check_rule *rule,
                                 const char *word)
{
	const bool is_quoted = word[0] == '"';
	const char *name = word + is_quoted;
	size_t length = strcspn(name, is_quoted ? "\"" : "*");
	const char *rest = name + length;
	const char *wrong;

	if (is_quoted && *rest++ != '"') {
		return "the closing quotation mark is missing";
	}
	while (!is_quoted && length > 0 && name[length - 1] == ' ') {
		length--;
	}
	if (length == 0 || (!is_quoted && memchr(name, '.', length) == NULL &&
	                    memchr(name, '/', length) == NULL)) {
		return "expected a number, another figure or a file after the comparison (a file "
		       "has a . or / in its name, or quotation marks)";
	}
	wrong = take_factor(rule, rest);
	if (wrong == NULL) {
		rule->against = RA_CHECK_BASELINE;
		rule->baseline = add_baseline(rules, name, length);
	}
	return wrong;
}

/* True if a word begins like a figure with a name in brackets. */
static bool is_of_name(const char *word)
{
	const size_t length = strcspn(word, "[");
	size_t subject = 0;

	while (subject < SUBJECTS &&
	       ((NAMED >> subject & 1) == 0 || !is_word(word, length, subject_words[subject]))) {
		subject++;
	}
	return subject < SUBJECTS && word[length] == '[';
}

/*
 * Parses another figure of the same inputs: "range[parse].p50", "events * 0.01".
 *
 * @is_one: set to true if the word is a figure, even a wrong one, and not the name of a file.
 * Return: NULL, or what is wrong.
 */
static const char *take_other(struct ra_check_rule *rule, const char *word, bool *is_one)
{
	const char *close = is_of_name(word) ? strrchr(word, ']') : NULL;
	const char *from = close == NULL ? word : close;
	const char *rest = from + strcspn(from, "*");
	size_t length = (size_t) (rest - word);
	const char *wrong;

	while (length > 0 && word[length - 1] == ' ') {
		length--;
	}
	wrong = take_term(&rule->other, word, length);
	*is_one = wrong == NULL || is_of_name(word);
	if (wrong != NULL) {
		return wrong;
	}
	rule->against = RA_CHECK_OTHER;
	return rule->left.unit != rule->other.unit ? "the two figures must be of one kind: both "
	                                             "times, both shares or both numbers"
	                                           : take_factor(rule, rest);
}

/* Return: NULL, or what is wrong. */
static const char *take_right(struct ra_check_rules *rules, struct ra_check_rule *rule,
                              const char *word)
{
	bool is_other;
	const char *wrong;

	rule->against = RA_CHECK_LIMIT;
	if (word[0] >= '0' && word[0] <= '9') {
		return take_limit(rule, word);
	}
	wrong = take_other(rule, word, &is_other);
	return is_other ? wrong : take_baseline(rules, rule, word);
}

/* Parses a rule whose comparison begins at the given place. Return: NULL, or what is wrong. */
static const char *take_at(struct ra_check_rules *rules, struct ra_check_rule *rule, size_t left,
                           const char *order)
{
	const char *right = rule->text + left + strlen(order);
	const char *wrong;

	rule->order = order[0];
	rule->or_equal = strlen(order) == 2 && order[0] != '!';
	while (left > 0 && rule->text[left - 1] == ' ') {
		left--;
	}
	wrong = take_term(&rule->left, rule->text, left);
	return wrong != NULL ? wrong : take_right(rules, rule, right + strspn(right, " "));
}

/* Finds the comparison that begins here; NULL: none. */
static const char *find_order(const char *text, size_t at)
{
	static const char *const words[] = { "<=", ">=", "==", "!=", "<", ">" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && at > 0; i++) {
		const bool is_end = words[i][1] == '\0' && strchr("<>=!", text[at - 1]) != NULL;

		if (!is_end && strncmp(text + at, words[i], strlen(words[i])) == 0) {
			return words[i];
		}
	}
	return NULL;
}

/* Parses a rule at its last comparison that makes a valid rule, because names may contain such
 * signs, too.
 * Return: NULL, or what is wrong with the last one. */
static const char *take_comparison(struct ra_check_rules *rules, struct ra_check_rule *rule)
{
	const char *first_wrong = NULL;

	for (size_t at = strlen(rule->text); at-- > 0;) {
		const char *order = find_order(rule->text, at);
		const char *wrong = order == NULL ? NULL : take_at(rules, rule, at, order);

		if (order != NULL && wrong == NULL) {
			return NULL;
		}
		first_wrong = first_wrong == NULL ? wrong : first_wrong;
	}
	return first_wrong != NULL ? first_wrong : "a comparison is missing: < <= > >= == !=";
}

/* Parses a rule, which may end in "or none". Return: NULL, or what is wrong. */
static const char *take_rule(struct ra_check_rules *rules, struct ra_check_rule *rule)
{
	static const char words[] = " or none";
	const size_t length = strlen(rule->text);
	const size_t end = length - (sizeof(words) - 1);
	const char *wrong;

	rule->or_none = length >= sizeof(words) && strcmp(rule->text + end, words) == 0;
	if (!rule->or_none) {
		return take_comparison(rules, rule);
	}
	rule->text[end] = '\0';
	wrong = take_comparison(rules, rule);
	rule->text[end] = ' ';
	return wrong;
}

/* Strips a line to its rule: tabs become spaces, and # begins a comment unless a name is open. */
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

/* @place: where the rule stands, for the user. */
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
	                     : rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
	                                      "%s %zu: \"%.30s\": %s", place, number, text, wrong);
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

/* True if a file of rules begins as no rule does, but as logs, packed files and JSON do. */
static bool is_input(const char *line)
{
	return strchr("\xC1\x1F{[", line[0]) != NULL;
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
		if (number == 1 && is_input(line)) {
			rc = rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET,
			                    "this is not a file of rules, which comes before the "
			                    "logs and traces");
			break;
		}
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
