/* SPDX-License-Identifier: MIT */
/* analyzer batch --timeline: writes one timeline of the chosen ranks. */
#include "analyzer/commands/batch/batch-timeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/io/outfile.h"
#include "analyzer/timeline/ranks/out-ranks.h"

/* An input with events, and the length of its steps. */
struct candidate {
	size_t input;
	int64_t mean_ns;
	bool is_chosen;
};

/* Finds the first of the inputs that a word selects, in the order from slowest to fastest. Return:
 * false if the word is not known. */
static bool find_first(const char *word, size_t length, size_t count, size_t wanted, size_t *first)
{
	static const char *const words[] = { "slowest", "median", "fastest" };
	const size_t rest = count - (wanted < count ? wanted : count);
	const size_t firsts[] = { 0, rest / 2, rest };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
			*first = firsts[i];
			return true;
		}
	}
	return false;
}

/* Reads words such as "slowest:3,median:1" and selects inputs; "all" selects all. Return: false if
 * the words are not valid. */
static bool choose(const char *words, struct candidate *candidates, size_t count)
{
	for (const char *at = words;; at++) {
		const size_t length = strcspn(at, ":,");
		size_t wanted = 1;
		size_t first = 0;
		char *end = (char *) at + length;

		if (*end == ':') {
			const char *number = end + 1;

			errno = 0;
			wanted = strtoul(number, &end, 10);
			if (number[0] < '0' || number[0] > '9' || errno != 0 || wanted == 0) {
				return false;
			}
		}
		if (strcmp(words, "all") == 0) {
			wanted = count;
		} else if (!find_first(at, length, count, wanted, &first)) {
			return false;
		}
		for (size_t i = first; i < count && i - first < wanted; i++) {
			candidates[i].is_chosen = true;
		}
		if (*end == '\0') {
			return true;
		}
		if (*end != ',') {
			return false;
		}
		at = end;
	}
}

int ra_cmd_batch_timeline_check(const char *words)
{
	struct candidate none;

	return choose(words, &none, 0) ? 0
	                               : ra_cmd_usage("--timeline: expected a list such as "
	                                              "slowest:3,median:1, or all, found \"%s\"",
	                                              words);
}

static int compare_slowest(const void *a, const void *b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, mean_ns), RA_ORDER_UP(left, right, input));
}

static int compare_inputs(const void *a, const void *b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;

	return RA_ORDER_UP(left, right, input);
}

/* Finds the mean length of a part's steps. Return: 0, or as ra_sum_file_unpack(). */
static int find_mean(const struct ra_sum_file_part *from, int64_t *mean_ns)
{
	struct ra_sum_part part;
	const int rc = ra_sum_file_unpack(from, &part);
	ra_sum_u128 sum_ns = 0;

	for (size_t i = 0; rc == 0 && i < part.step_count; i++) {
		const int64_t total_ns = part.steps[i].role_ns[RA_ROLE_TOTAL];

		sum_ns += total_ns > 0 ? (uint64_t) total_ns : 0;
	}
	*mean_ns = part.step_count == 0 ? 0 : (int64_t) (sum_ns / part.step_count);
	ra_sum_fini(&part);
	return rc;
}

/* Returns the half of a content's identity with which its part's name begins, as a number. */
static uint64_t read_key(const char *part)
{
	char digits[17];

	snprintf(digits, sizeof(digits), "%s", part);
	return strtoull(digits, NULL, 16);
}

static uint64_t make_key(const uint8_t id[RA_SUM_ID_BYTES])
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof(key); i++) {
		key = key << 8 | id[i];
	}
	return key;
}

/* Maps identities of contents to inputs; if contents are equal, to the first of them. */
static void index_inputs(struct ra_util_map *by_id, const struct ra_batch_inputs *inputs,
                         const struct ra_batch_result *results)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const uint64_t key = read_key(results[i].part);

		if (results[i].part[0] != '\0' &&
		    ra_util_map_find(by_id, key) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(by_id, key, (uint32_t) i);
		}
	}
}

/* Lists inputs that are logs or traces, slowest first. */
static int collect(const struct ra_batch_inputs *inputs, const struct ra_batch_result *results,
                   const struct ra_sum_file *file, struct candidate *candidates, size_t *count)
{
	struct ra_util_map by_id = { 0 };
	int rc = 0;

	index_inputs(&by_id, inputs, results);
	for (size_t k = 0; k < file->count && rc == 0; k++) {
		const uint32_t input = ra_util_map_find(&by_id, make_key(file->parts[k].origin.id));

		if (input != RA_UTIL_MAP_NONE) {
			candidates[*count].input = input;
			rc = find_mean(&file->parts[k], &candidates[(*count)++].mean_ns);
		}
	}
	ra_util_map_free(&by_id);
	RA_SORT(candidates, *count, compare_slowest);
	return rc;
}

static int load_ranks(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                      const struct candidate *candidates, size_t count, struct ra_ranks *ranks)
{
	for (size_t i = 0; i < count; i++) {
		const char *path = inputs->rows[candidates[i].input].path;
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };
		struct ra_model *model = NULL;

		if (!candidates[i].is_chosen) {
			continue;
		}
		if (ra_load_file(&model, path, &batch->sums.batch.load, &err) != 0) {
			return ra_cmd_print_error(path, &err);
		}
		ra_ranks_add(ranks, model, path, batch->align);
		ra_model_destroy(model);
	}
	ra_ranks_align(ranks);
	return 0;
}

static void print_input(const struct ra_ranks_input *input, bool is_first)
{
	struct ra_util_text text = { 0 };

	if (input->rank >= 0) {
		ra_util_text_format(&text, "rank %lld", (long long) input->rank);
	} else {
		const char *slash = strrchr(input->path, '/');

		ra_util_text_put_name(&text,
		                      ra_util_string(slash == NULL ? input->path : slash + 1),
		                      RA_TEXT_TERMINAL);
	}
	if (is_first) {
		ra_util_text_format(&text, ": the other inputs are moved to its clock");
	} else {
		ra_util_text_format(&text, ": moved by %lld ns, ", (long long) input->offset_ns);
		if (input->uncertainty_ns < 0) {
			ra_util_text_format(&text, "with an unknown error");
		} else {
			ra_util_text_format(&text, "within %lld ns",
			                    (long long) input->uncertainty_ns);
		}
		ra_util_text_format(&text, " (%zu meeting%s)", input->matched,
		                    ra_util_text_plural(input->matched));
	}
	ra_util_text_put_char(&text, '\n');
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
}

const char *ra_cmd_batch_timeline_name(const struct ra_cmd_batch *batch)
{
	return batch->archive ? "ranks.tar" : "ranks.json.gz";
}

static int write_ranks(const struct ra_cmd_batch *batch, const struct ra_ranks *ranks,
                       const char *path)
{
	const struct ra_out_options options = { .output_name = ra_cmd_batch_timeline_name(batch),
		                                .names = batch->sums.batch.names };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const char *failed = path;
	struct ra_outfile out;
	int code = ra_outfile_open(&out, path);

	if (code != 0) {
		return ra_cmd_print_unwritten(path, code);
	}
	if ((batch->archive ? ra_out_ranks_archive : ra_out_ranks_write)(
		    ranks, &batch->sums.batch.load, &options, &out.buffer, &failed, &err) != 0) {
		ra_outfile_abandon(&out);
		return ra_cmd_print_error(failed, &err);
	}
	code = ra_outfile_commit(&out);
	if (code != 0) {
		return ra_cmd_print_unwritten(path, code);
	}
	for (size_t i = 0; i < ranks->count; i++) {
		print_input(&ranks->inputs[i], i == 0);
	}
	printf("%s: %zu input%s, %llu of %llu pairs in meetings reversed\n", path, ranks->count,
	       ra_util_text_plural(ranks->count), (unsigned long long) ranks->reversed,
	       (unsigned long long) ranks->pairs);
	return 0;
}

int ra_cmd_batch_timeline(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                          const struct ra_batch_result *results, const struct ra_sum_file *file,
                          bool *is_drawn)
{
	struct candidate *candidates = ra_alloc_zeros(file->count + 1, sizeof(*candidates));
	struct ra_ranks ranks = { 0 };
	char *path = ra_alloc_format("%s/%s", batch->output, ra_cmd_batch_timeline_name(batch));
	size_t count = 0;
	int code = 0;

	if (collect(inputs, results, file, candidates, &count) != 0) {
		code = ra_cmd_print_unwritten(batch->output, ENOMEM);
	} else {
		(void) choose(batch->timeline, candidates, count);
		RA_SORT(candidates, count, compare_inputs);
		code = load_ranks(batch, inputs, candidates, count, &ranks);
	}
	if (code == 0 && ranks.count > 0) {
		code = write_ranks(batch, &ranks, path);
		*is_drawn = code == 0;
	}
	ra_ranks_fini(&ranks);
	free(candidates);
	free(path);
	return code;
}
