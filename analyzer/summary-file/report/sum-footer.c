/* SPDX-License-Identifier: MIT */
/* Writes the footer of a summary: which data its inputs lack. */
#include "analyzer/summary-file/report/sum-set.h"

#include "analyzer/base/text/util-string.h"

/* The remarks of at most this many inputs are printed. */
#define LINES 20

void ra_sum_set_put_source(struct ra_util_text *text, const struct ra_sum_source *source)
{
	if (source->run.length > 0) {
		ra_util_text_put_name(text, source->run, RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, source->rank < 0 ? '/' : ' ');
	}
	if (source->rank >= 0) {
		ra_util_text_format(text, "rank %lld", (long long) source->rank);
	} else {
		ra_util_text_put_name(text, source->source, RA_TEXT_TERMINAL);
	}
}

static void put_remarks(struct ra_util_text *text, const struct ra_sum_set *set,
                        const struct ra_sum_source *source, const char *prefix)
{
	for (size_t i = 0; i < source->remark_count; i++) {
		const struct ra_sum_remark *remark = &set->remarks[source->first_remark + i];

		ra_util_text_format(text, "%s", prefix);
		ra_sum_set_put_source(text, source);
		ra_util_text_format(text, ": ");
		if (remark->count > 0) {
			ra_util_text_put_count(text, remark->count);
			ra_util_text_put_char(text, ' ');
		}
		ra_util_text_put_name(text, set->texts.rows[remark->text], RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, '\n');
	}
}

struct rlog_string ra_sum_set_find_remark(const struct ra_sum_set *set, const char *key)
{
	for (size_t i = 0; i < set->remark_count; i++) {
		if (ra_util_string_is(set->texts.rows[set->remarks[i].key], key)) {
			return set->texts.rows[set->remarks[i].text];
		}
	}
	return (struct rlog_string){ "", 0, 0 };
}

/* Writes the line about all inputs. */
static void put_count(struct ra_util_text *text, const struct ra_sum_set *set, const char *prefix)
{
	uint64_t events = 0;
	uint64_t lost = 0;
	size_t sound = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		events += set->sources[i].events;
		lost += set->sources[i].lost;
		sound += set->sources[i].state == RA_SUM_COMPLETE;
	}
	ra_util_text_format(text, "%s%s: ", prefix,
	                    sound == set->source_count ? "complete" : "incomplete");
	ra_util_text_put_count(text, set->source_count);
	ra_util_text_format(text, set->source_count == 1 ? " input, " : " inputs, ");
	ra_util_text_put_count(text, events);
	ra_util_text_format(text, events == 1 ? " event, " : " events, ");
	if (sound == set->source_count) {
		ra_util_text_format(text, "nothing lost\n");
		return;
	}
	ra_util_text_put_count(text, lost);
	ra_util_text_format(text, " lost; ");
	ra_util_text_put_count(text, set->source_count - sound);
	ra_util_text_format(text, set->source_count - sound == 1 ? " input lacks something\n"
	                                                         : " inputs lack something\n");
}

/* Tells what summaries made by older versions lack. */
static void put_older(struct ra_util_text *text, const struct ra_sum_set *set, const char *prefix)
{
	size_t older = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		older += set->sources[i].is_older;
	}
	if (older > 0) {
		ra_util_text_format(text, "%s", prefix);
		ra_util_text_put_count(text, older);
		ra_util_text_format(text, older == 1
		                                  ? " summary is of an older version, without"
		                                  : " summaries are of an older version, without");
		ra_util_text_format(text, " projected times and facts of the machine\n");
	}
}

size_t ra_sum_set_count_incomplete(const struct ra_sum_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		count += set->sources[i].state == RA_SUM_INCOMPLETE;
	}
	return count;
}

void ra_sum_set_put_incomplete(struct ra_util_text *text, const struct ra_sum_set *set,
                               const char *prefix)
{
	size_t shown = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		if (set->sources[i].state == RA_SUM_INCOMPLETE && shown++ < LINES) {
			put_remarks(text, set, &set->sources[i], prefix);
		}
	}
	if (shown > LINES) {
		ra_util_text_format(text, "%sand %zu more inputs that are incomplete\n", prefix,
		                    shown - LINES);
	}
}

void ra_sum_set_put_footer(struct ra_util_text *text, const struct ra_sum_set *set,
                           const char *prefix)
{
	size_t shown = 0;
	size_t more = 0;

	put_count(text, set, prefix);
	put_older(text, set, prefix);
	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_source *source = &set->sources[i];

		if (source->remark_count == 0) {
			continue;
		}
		if (shown < LINES) {
			put_remarks(text, set, source, prefix);
			shown++;
		} else {
			more++;
		}
	}
	if (more > 0) {
		ra_util_text_format(text, "%sand %zu more inputs with remarks\n", prefix, more);
	}
}
