/* SPDX-License-Identifier: MIT */
/* Lists the facts about machines in which the sides differ. */
#include "analyzer/diff/print/diff-unlike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/diff-evidence.h"

#define MOST_VALUES 3 /* most values of a side, for users */

/* the number of GPUs that an input used; it is counted, because inputs have no such fact */
#define GPUS "gpus"

/* A fact that has different values on the sides. */
struct unlike {
	struct rlog_string key;     /* borrowed, as are the values */
	struct rlog_string *values; /* owned; the values of the first side, then those of the
	                               second */
	size_t count[2];
	size_t capacity;
	size_t place;       /* the facts that matter most come first */
	char number[2][24]; /* owns values that are no text of the inputs */
};

struct unlikes {
	struct unlike *rows; /* owned */
	size_t count;
	size_t capacity;
};

/* The facts, with a word for each. The most important ones come first. */
static const struct {
	const char *key;
	const char *word;
} known[] = {
	{ "gpu", "GPU" },
	{ GPUS, "GPUs" },
	{ "world_size", "ranks" },
	{ "host", "host" },
	{ "cpus", "CPUs" },
	{ "arch", "architecture" },
	{ "os", "system" },
	{ "gpu_driver", "GPU driver" },
	{ "cuda_driver", "CUDA driver" },
	{ "cuda_runtime", "CUDA runtime" },
	{ "hip_driver", "HIP driver" },
	{ "hip_runtime", "HIP runtime" },
	{ "nccl", "NCCL" },
	{ "cudnn", "cuDNN" },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

/* True for facts about the machine. Others say what was run or how it was recorded. Variables of
 * the environment are listed separately. */
static bool is_of_machine(struct rlog_string key)
{
	static const char *const others[] = {
		"program", "recorder", "nsys",  "clock",  "cupti",
		"setting", "schema",   "trace", "kineto", "variable"
	};
	bool is = true;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		is = is && !ra_util_string_is(key, others[i]);
	}
	return is;
}

static size_t find_place(struct rlog_string key)
{
	size_t place = 0;

	while (place < KNOWN && !ra_util_string_is(key, known[place].key)) {
		place++;
	}
	return place;
}

static int compare_texts(const void *left, const void *right)
{
	return ra_util_string_compare(*(const struct rlog_string *) left,
	                              *(const struct rlog_string *) right);
}

/* Lists the values of a fact on one side, in order, each only once. */
static void list_values(struct unlike *unlike, const struct ra_sum_set *set, size_t side)
{
	const size_t first = side == 0 ? 0 : unlike->count[0];
	size_t count = first;

	for (size_t i = 0; i < set->facts.count; i++) {
		const struct ra_sum_fact *fact = &set->facts.rows[i].fact;

		if (ra_util_string_is_same(set->texts.rows[fact->key], unlike->key)) {
			RA_UTIL_APPEND(unlike->values, count, unlike->capacity,
			               set->texts.rows[fact->text]);
		}
	}
	unlike->count[side] = count - first;
	if (count > first) {
		RA_SORT(unlike->values + first, count - first, compare_texts);
	}
}

static bool differs(const struct unlike *unlike)
{
	bool is_same = unlike->count[0] == unlike->count[1];

	for (size_t i = 0; i < unlike->count[0] && is_same; i++) {
		is_same = ra_util_string_is_same(unlike->values[i],
		                                 unlike->values[unlike->count[0] + i]);
	}
	return !is_same && unlike->count[0] > 0 && unlike->count[1] > 0;
}

static bool has_key(const struct unlikes *unlikes, struct rlog_string key)
{
	bool has = false;

	for (size_t i = 0; i < unlikes->count; i++) {
		has = has || ra_util_string_is_same(unlikes->rows[i].key, key);
	}
	return has;
}

static void add_fact(struct unlikes *unlikes, const struct ra_diff *diff, struct rlog_string key)
{
	struct unlike unlike = { .key = key, .place = find_place(key) };

	list_values(&unlike, diff->sets[0], 0);
	list_values(&unlike, diff->sets[1], 1);
	if (differs(&unlike)) {
		RA_UTIL_APPEND(unlikes->rows, unlikes->count, unlikes->capacity, unlike);
	} else {
		free(unlike.values);
	}
}

/* Returns the number of GPUs of the input that used most. */
static uint32_t find_gpus(const struct ra_sum_set *set)
{
	uint32_t most = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		most = set->sources[i].devices > most ? set->sources[i].devices : most;
	}
	return most;
}

static void add_gpus(struct unlikes *unlikes, const struct ra_diff *diff)
{
	const uint32_t before = find_gpus(diff->sets[0]);
	const uint32_t after = find_gpus(diff->sets[1]);
	struct unlike unlike = { .key = ra_util_string(GPUS), .count = { 1, 1 } };

	if (before == 0 || after == 0 || before == after) {
		return;
	}
	unlike.place = find_place(unlike.key);
	snprintf(unlike.number[0], sizeof(unlike.number[0]), "%u", before);
	snprintf(unlike.number[1], sizeof(unlike.number[1]), "%u", after);
	RA_UTIL_APPEND(unlikes->rows, unlikes->count, unlikes->capacity, unlike);
}

static bool has_fact(const struct ra_sum_set *set, const char *key, struct rlog_string text)
{
	bool has = false;

	for (size_t i = 0; i < set->facts.count; i++) {
		const struct ra_sum_fact *fact = &set->facts.rows[i].fact;

		has = has || (ra_util_string_is(set->texts.rows[fact->key], key) &&
		              (text.length == 0 ||
		               ra_util_string_is_same(set->texts.rows[fact->text], text)));
	}
	return has;
}

/* Lists variables of the environment that are set on only one side, or that have different values
 * on the sides. Logs contain all variables that matter; for other inputs they are not known. */
static void add_variables(struct unlikes *unlikes, const struct ra_diff *diff)
{
	const struct rlog_string any = { "", 0, 0 };
	struct unlike unlike = { .key = ra_util_string("variable"), .place = KNOWN };

	for (size_t side = 0; side < 2; side++) {
		const struct ra_sum_set *set = diff->sets[side];
		size_t count = unlike.count[0];

		for (size_t i = 0; i < set->facts.count; i++) {
			const struct ra_sum_fact *fact = &set->facts.rows[i].fact;
			const struct rlog_string text = set->texts.rows[fact->text];

			if (ra_util_string_is_same(set->texts.rows[fact->key], unlike.key) &&
			    !has_fact(diff->sets[1 - side], "variable", text)) {
				RA_UTIL_APPEND(unlike.values, count, unlike.capacity, text);
			}
		}
		unlike.count[side] = side == 0 ? count : count - unlike.count[0];
	}
	if (unlike.count[0] + unlike.count[1] > 0 && has_fact(diff->sets[0], "recorder", any) &&
	    has_fact(diff->sets[1], "recorder", any)) {
		RA_UTIL_APPEND(unlikes->rows, unlikes->count, unlikes->capacity, unlike);
	} else {
		free(unlike.values);
	}
}

static int compare_unlikes(const void *left, const void *right)
{
	const struct unlike *a = left;
	const struct unlike *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, place), ra_util_string_compare(a->key, b->key));
}

static void init(struct unlikes *unlikes, const struct ra_diff *diff)
{
	const struct ra_sum_set *set = diff->sets[0];

	memset(unlikes, 0, sizeof(*unlikes));
	for (size_t i = 0; i < set->facts.count; i++) {
		const struct rlog_string key = set->texts.rows[set->facts.rows[i].fact.key];

		if (is_of_machine(key) && !has_key(unlikes, key)) {
			add_fact(unlikes, diff, key);
		}
	}
	add_gpus(unlikes, diff);
	add_variables(unlikes, diff);
	if (unlikes->count > 0) {
		RA_SORT(unlikes->rows, unlikes->count, compare_unlikes);
	}
}

static void fini(struct unlikes *unlikes)
{
	for (size_t i = 0; i < unlikes->count; i++) {
		free(unlikes->rows[i].values);
	}
	free(unlikes->rows);
}

static struct rlog_string get_value(const struct unlike *unlike, size_t side, size_t at)
{
	return unlike->values == NULL ? ra_util_string(unlike->number[side])
	                              : unlike->values[(side == 0 ? 0 : unlike->count[0]) + at];
}

static void put_values(struct ra_util_text *text, const struct unlike *unlike, size_t side,
                       enum ra_util_text_target target)
{
	const size_t count = unlike->count[side];

	for (size_t i = 0; i < count && i < MOST_VALUES; i++) {
		ra_util_text_format(text, i == 0 ? "" : ", ");
		ra_util_text_put_name(text, get_value(unlike, side, i), target);
	}
	if (count > MOST_VALUES) {
		ra_util_text_format(text, " and %zu more", count - MOST_VALUES);
	}
}

static void put_variables(struct ra_util_text *text, const struct unlike *unlike,
                          const char *const names[2], enum ra_util_text_target target)
{
	const char *between = "";

	for (size_t side = 0; side < 2; side++) {
		if (unlike->count[side] > 0) {
			ra_util_text_format(text, "%s", between);
			put_values(text, unlike, side, target);
			ra_util_text_format(text, " only %s", names[side]);
			between = ", ";
		}
	}
}

/* Appends "GPU A before, B after". Numbers come first: "2 ranks before, 1 after". */
static void put_unlike(struct ra_util_text *text, const struct unlike *unlike,
                       const char *const names[2], enum ra_util_text_target target)
{
	const char *word = unlike->place < KNOWN ? known[unlike->place].word : NULL;
	const bool is_number = ra_util_string_is(unlike->key, "world_size") ||
	                       ra_util_string_is(unlike->key, "cpus") ||
	                       ra_util_string_is(unlike->key, GPUS);

	if (ra_util_string_is(unlike->key, "variable")) {
		put_variables(text, unlike, names, target);
		return;
	}
	if (word == NULL) {
		ra_util_text_put_name(text, unlike->key, target);
		ra_util_text_put_char(text, ' ');
	} else if (!is_number) {
		ra_util_text_format(text, "%s ", word);
	}
	put_values(text, unlike, 0, target);
	if (is_number) {
		ra_util_text_format(text, " %s", word);
	}
	ra_util_text_format(text, " %s, ", names[0]);
	put_values(text, unlike, 1, target);
	ra_util_text_format(text, " %s", names[1]);
}

bool ra_diff_unlike_put(struct ra_util_text *text, const struct ra_diff *diff,
                        const char *const names[2], enum ra_util_text_target target)
{
	struct unlikes unlikes;
	bool has;

	init(&unlikes, diff);
	has = unlikes.count > 0;
	for (size_t i = 0; i < unlikes.count; i++) {
		ra_util_text_format(text, i == 0 ? "not the same: " : "; ");
		put_unlike(text, &unlikes.rows[i], names, target);
	}
	ra_util_text_format(text, has ? ": differences need not be the program's\n" : "");
	fini(&unlikes);
	return has;
}

void ra_diff_unlike_put_json(struct ra_util_text *text, const struct ra_diff *diff)
{
	static const char *const keys[2] = { "before", "after" };
	struct unlikes unlikes;

	init(&unlikes, diff);
	ra_util_text_format(text, "\"not_same\":[");
	for (size_t i = 0; i < unlikes.count; i++) {
		const struct unlike *unlike = &unlikes.rows[i];

		ra_util_text_format(text, "%s{\"fact\":\"", i == 0 ? "" : ",\n");
		ra_util_text_put_name(text, unlike->key, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
		for (size_t side = 0; side < 2; side++) {
			ra_util_text_format(text, ",\"%s\":[", keys[side]);
			for (size_t v = 0; v < unlike->count[side]; v++) {
				ra_util_text_format(text, v == 0 ? "\"" : ",\"");
				ra_util_text_put_name(text, get_value(unlike, side, v),
				                      RA_TEXT_JSON);
				ra_util_text_put_char(text, '"');
			}
			ra_util_text_put_char(text, ']');
		}
		ra_util_text_put_char(text, '}');
	}
	ra_util_text_format(text, "],\n");
	fini(&unlikes);
}

static const struct unlike *find(const struct unlikes *unlikes, const char *key)
{
	const struct unlike *found = NULL;

	for (size_t i = 0; i < unlikes->count && found == NULL; i++) {
		found = ra_util_string_is(unlikes->rows[i].key, key) ? &unlikes->rows[i] : NULL;
	}
	return found;
}

const char *ra_diff_unlike_find_cause(const struct ra_diff *diff, size_t machine)
{
	struct unlikes unlikes;
	const char *cause = NULL;

	init(&unlikes, diff);
	if (machine == RA_DIFF_COMMON_GPU) {
		cause = find(&unlikes, "gpu") != NULL ? "the other GPU" : NULL;
	} else if (find(&unlikes, "host") != NULL || find(&unlikes, "gpu") != NULL) {
		cause = "the other machine";
	}
	fini(&unlikes);
	return cause;
}
