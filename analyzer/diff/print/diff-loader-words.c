/* SPDX-License-Identifier: MIT */
/* Writes that a DataLoader was replaced, and which ranges moved to its worker processes. */
#include "analyzer/diff/print/diff-loader-words.h"

#include "analyzer/diff/causes/diff-loader.h"
#include "analyzer/names/op-kinds.h"

#define MOST_MOVED 2 /* most names in the line */

bool ra_diff_loader_words_put_short(struct ra_util_text *text, struct rlog_string name)
{
	const struct rlog_string class = ra_op_kinds_loader_class(name);

	if (class.length > 0) {
		ra_util_text_put(text, class.bytes, class.length);
		ra_util_text_format(text, "DataLoader");
	}
	return class.length > 0;
}

/* Appends the first names of ranges that moved. Return: how many there are. */
static size_t put_moved(struct ra_util_text *text, const struct ra_diff *diff,
                        enum ra_util_text_target target)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		if (diff->rows[i].like == RA_DIFF_LIKE_LOADED && count++ < MOST_MOVED) {
			ra_util_text_format(text, count == 1 ? "" : ", ");
			ra_util_text_put_name(text, diff->rows[i].name, target);
		}
	}
	if (count > MOST_MOVED) {
		ra_util_text_format(text, " and %zu more", count - MOST_MOVED);
	}
	return count;
}

void ra_diff_loader_words_put(struct ra_util_text *text, const struct ra_diff *diff,
                              enum ra_util_text_target target, bool is_brief)
{
	struct ra_diff_loader loader;
	struct ra_util_text moved = { 0 };
	size_t count;

	ra_diff_loader_find(&loader, diff);
	if (!loader.has) {
		return;
	}
	ra_util_text_format(text, "DataLoader: %s (",
	                    loader.is_to_workers     ? "loading moved to worker processes"
	                    : loader.is_from_workers ? "loading moved out of worker processes"
	                                             : "another one");
	ra_util_text_put_name(text, ra_op_kinds_loader_class(loader.names[0]), target);
	ra_util_text_format(text, " -> ");
	ra_util_text_put_name(text, ra_op_kinds_loader_class(loader.names[1]), target);
	ra_util_text_format(text, "), ");
	ra_util_text_put_time(text, loader.time_ns[0]);
	ra_util_text_format(text, " -> ");
	ra_util_text_put_time(text, loader.time_ns[1]);
	count = put_moved(&moved, diff, target);
	if (is_brief) {
		ra_util_text_clear(&moved);
		ra_util_text_format(&moved, "%zu range%s", count, ra_util_text_plural(count));
	}
	if (count > 0) {
		ra_util_text_format(text, "; with it ");
		ra_util_text_put(text, moved.bytes, moved.length);
		ra_util_text_format(text, loader.is_to_workers
		                                  ? ": in the data loader before; in worker "
		                                    "processes now, which the trace lacks"
		                                  : ": in worker processes before, which the "
		                                    "trace lacks; in the data loader now");
	}
	ra_util_text_put_char(text, '\n');
	ra_util_text_free(&moved);
}

void ra_diff_loader_words_put_json(struct ra_util_text *text, const struct ra_diff *diff)
{
	struct ra_diff_loader loader;
	const char *between = "";

	ra_diff_loader_find(&loader, diff);
	if (!loader.has) {
		return;
	}
	ra_util_text_format(text, "\"loader\":{\"from\":\"");
	ra_util_text_put_name(text, loader.names[0], RA_TEXT_JSON);
	ra_util_text_format(text, "\",\"to\":\"");
	ra_util_text_put_name(text, loader.names[1], RA_TEXT_JSON);
	ra_util_text_format(text, "\",\"before_ns\":%lld,\"after_ns\":%lld,\"moved\":[",
	                    (long long) loader.time_ns[0], (long long) loader.time_ns[1]);
	for (size_t i = 0; i < diff->count; i++) {
		if (diff->rows[i].like == RA_DIFF_LIKE_LOADED) {
			ra_util_text_format(text, "%s\"", between);
			ra_util_text_put_name(text, diff->rows[i].name, RA_TEXT_JSON);
			ra_util_text_put_char(text, '"');
			between = ",";
		}
	}
	ra_util_text_format(text, "]},\n");
}
