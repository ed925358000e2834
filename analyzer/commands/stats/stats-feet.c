/* SPDX-License-Identifier: MIT */
/* analyzer stats --brief FILE FILE...: says what several files lack. Files that lack the same share
 * one line. */
#include "analyzer/commands/stats/stats-parts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/footer/footer.h"

#define MOST_NAMES 3 /* at most this many names of files that lack the same are shown */

/* Appends the remarks on a file, without the one that the file is complete. */
static void put_rest(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     const struct ra_cmd_inputs *inputs, size_t file)
{
	const struct ra_model *model = inputs->models[file];
	struct ra_util_text foot = { 0 };
	size_t from = 0;

	ra_cmd_stats_put_steps(text, options, file, "");
	ra_cmd_stats_put_others(text, options, model);
	ra_footer_put_text(&foot, model, "");
	if (ra_footer_is_complete(model)) {
		while (from < foot.length && foot.bytes[from] != '\n') {
			from++;
		}
		from += from < foot.length;
	}
	ra_util_text_put(text, foot.bytes == NULL ? "" : foot.bytes + from, foot.length - from);
	ra_util_text_free(&foot);
}

static bool is_same(const struct ra_util_text *a, const struct ra_util_text *b)
{
	return a->length == b->length &&
	       (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* Appends the names of the files whose text equals that of the first: "a, b and 3 more". */
static void put_names(struct ra_util_text *text, const struct ra_cmd_inputs *inputs,
                      const struct ra_util_text *rests, size_t first)
{
	size_t count = 0;

	for (size_t i = first; i < inputs->count; i++) {
		const char *slash = strrchr(inputs->paths[i], '/');

		if (!is_same(&rests[first], &rests[i])) {
			continue;
		}
		if (count < MOST_NAMES) {
			ra_util_text_format(text, "%s%s", count == 0 ? "" : ", ",
			                    slash == NULL ? inputs->paths[i] : slash + 1);
		}
		count++;
	}
	if (count > MOST_NAMES) {
		ra_util_text_format(text, " and %zu more", count - MOST_NAMES);
	}
	ra_util_text_format(text, ":\n");
}

void ra_cmd_stats_put_feet(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           const struct ra_cmd_inputs *inputs)
{
	struct ra_util_text *rests = ra_alloc_zeros(inputs->count + 1, sizeof(*rests));
	size_t complete = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		complete += ra_footer_is_complete(inputs->models[i]);
		put_rest(&rests[i], options, inputs, i);
	}
	if (complete == inputs->count) {
		ra_util_text_format(text, "complete: %zu inputs, nothing lost\n", complete);
	} else {
		ra_util_text_format(text, "complete: %zu of %zu inputs, nothing lost in these\n",
		                    complete, inputs->count);
	}
	for (size_t i = 0; i < inputs->count; i++) {
		size_t like = 0;

		while (!is_same(&rests[like], &rests[i])) {
			like++;
		}
		if (like == i && rests[i].length > 0) {
			put_names(text, inputs, rests, i);
			ra_util_text_put(text, rests[i].bytes, rests[i].length);
		}
	}
	for (size_t i = 0; i < inputs->count; i++) {
		ra_util_text_free(&rests[i]);
	}
	free(rests);
}
