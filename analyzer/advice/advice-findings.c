/* SPDX-License-Identifier: MIT */
/* Turns findings of the report "advice" into rows. A row has separate fields, no prose. */
#include "analyzer/advice/advice.h"

#include <math.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

enum column {
	RULE,
	SHARE,
	TOTAL,
	COUNT,
	THRESHOLD,
	DEVICE,
	TID,
	STEP,
	START,
	LONGEST,
	PLACE,
	FINDING,
	EVIDENCE,
	REMEDY,
	REPORTS,
};

const struct ra_table_column ra_advice_columns[RA_ADVICE_COLUMNS] = {
	[RULE] = { "rule", "Rule", RA_TABLE_TEXT, NULL },
	[SHARE] = { "share", "Share", RA_TABLE_PART, NULL },
	[TOTAL] = { "total_ns", "Time", RA_TABLE_TIME, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[THRESHOLD] = { "threshold", "Threshold", RA_TABLE_PART, NULL },
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[STEP] = { "step", "Step", RA_TABLE_TEXT, NULL },
	[START] = { "start_ns", "Worst at", RA_TABLE_TIME, NULL },
	[LONGEST] = { "longest_ns", "Worst", RA_TABLE_TIME, NULL },
	[PLACE] = { "place", "Worst place", RA_TABLE_TEXT, NULL },
	[FINDING] = { "finding", "Finding", RA_TABLE_TEXT, NULL },
	[EVIDENCE] = { "evidence", "Evidence", RA_TABLE_TEXT, NULL },
	[REMEDY] = { "remedy", "Remedy", RA_TABLE_TEXT, NULL },
	[REPORTS] = { "reports", "Reports", RA_TABLE_TEXT, NULL },
};

/* The values of the words in braces. */
struct parts {
	const struct ra_advice_finding *finding;
	struct ra_util_text place;
	const struct ra_util_text *detail; /* NULL: empty */
};

/* Appends the value of a word in braces. Return: false if there is no such word. */
static bool put_part(struct ra_util_text *text, const char *word, const struct parts *parts)
{
	if (strncmp(word, "{time}", 6) == 0) {
		ra_util_text_put_time(text, parts->finding->total_ns);
	} else if (strncmp(word, "{share}", 7) == 0) {
		ra_util_text_format(text, "%.1f%% of the window", 100 * parts->finding->share);
	} else if (strncmp(word, "{place}", 7) == 0) {
		ra_util_text_put(text, parts->place.bytes, parts->place.length);
	} else if (strncmp(word, "{detail}", 8) == 0) {
		if (parts->detail != NULL) {
			ra_util_text_put(text, parts->detail->bytes, parts->detail->length);
		}
	} else {
		return false;
	}
	return true;
}

/* Appends a rule's text with the values of its words in braces. */
static void put_filled(struct ra_util_text *text, const struct ra_advice *advice, const char *words,
                       const struct parts *parts)
{
	struct ra_util_text own = { 0 };
	const char *at;

	ra_advice_put_words(&own, words, advice->is_hip);
	ra_util_text_put_char(&own, '\0');
	for (at = own.bytes; *at != '\0';) {
		if (*at == '{' && put_part(text, at, parts)) {
			at = strchr(at, '}') + 1;
		} else {
			ra_util_text_put_char(text, *at++);
		}
	}
	ra_util_text_free(&own);
}

/* Keeps one of a finding's texts. The first letter of a sentence is made a capital. */
static struct rlog_string keep(struct ra_advice *advice, struct ra_util_text *text,
                               bool is_sentence)
{
	if (is_sentence && text->length > 0 && text->bytes[0] >= 'a' && text->bytes[0] <= 'z') {
		text->bytes[0] = (char) (text->bytes[0] - 'a' + 'A');
	}
	return ra_table_take_text(advice->table, text);
}

static void make_texts(struct ra_advice *advice, struct ra_advice_finding *finding,
                       const struct parts *parts)
{
	const struct ra_advice_rule *rule = finding->rule;
	struct ra_util_text text = { 0 };

	if (rule->is_of_device && advice->device_count > 1 && finding->worst.device >= 0) {
		ra_util_text_format(&text, "GPU %lld: ",
		                    finding->worst.device == UINT32_MAX
		                            ? -1LL
		                            : (long long) finding->worst.device);
	}
	put_filled(&text, advice, rule->finding, parts);
	finding->finding = keep(advice, &text, true);
	put_filled(&text, advice, rule->evidence, parts);
	finding->evidence = keep(advice, &text, false);
	put_filled(&text, advice,
	           advice->is_torch && rule->torch != NULL ? rule->torch : rule->remedy, parts);
	finding->remedy = keep(advice, &text, true);
}

/* Returns the time of a finding that is its own. If most of a finding's time is also charged to
 * another finding, that part would disappear if the other finding were fixed, so only the rest
 * counts. */
static int64_t find_cost(int64_t total_ns, int64_t shared_ns)
{
	return shared_ns > total_ns / 2 ? total_ns - shared_ns : total_ns;
}

void ra_advice_add(struct ra_advice *advice, enum ra_advice_id id, int64_t saved_ns,
                   const struct ra_advice_evidence *evidence, const struct ra_util_text *detail)
{
	const struct ra_advice_rule *rule = &ra_advice_rules[id];
	struct ra_advice_finding finding = {
		.rule = rule,
		.share = isnan(rule->threshold) ? NAN : ra_advice_share(advice, saved_ns),
		.total_ns = saved_ns,
		.cost_ns = find_cost(saved_ns, evidence->shared_ns),
		.count = evidence->count,
		.worst = evidence->longest,
	};
	struct parts parts = { .finding = &finding, .detail = detail };

	if (evidence->count == 0 || finding.share < rule->threshold) {
		return;
	}
	ra_advice_put_names(&parts.place, evidence);
	make_texts(advice, &finding, &parts);
	ra_util_text_free(&parts.place);
	RA_UTIL_APPEND(advice->findings, advice->finding_count, advice->finding_capacity, finding);
}

/* Sorts findings: the worst first, those without a share last, ties in the order of the rules. */
static int compare_findings(const void *a, const void *b)
{
	const struct ra_advice_finding *left = a;
	const struct ra_advice_finding *right = b;
	const int64_t left_ns = isnan(left->share) ? -1 : left->cost_ns;
	const int64_t right_ns = isnan(right->share) ? -1 : right->cost_ns;
	int order = RA_ORDER(right_ns, left_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rule));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, worst.device));
}

/* The step in which the worst event began. Its text is copied, because steps are freed before the
 * table. */
static void put_step(const struct ra_advice *advice, int64_t time_ns, struct ra_table_cell *cell)
{
	const struct ra_step_times *times = &advice->steps->steps.times;

	for (size_t i = 0; i < times->step_count && !advice->steps->steps.is_whole; i++) {
		if ((double) time_ns >= times->steps[i].start &&
		    (double) time_ns < times->steps[i].end) {
			const struct rlog_string name = times->steps[i].name;

			*cell = ra_table_make_text(
				ra_table_keep_text(advice->table, name.bytes, name.length));
			return;
		}
	}
}

static struct ra_table_cell make_words(const char *words)
{
	return ra_table_make_word(words);
}

static void add_row(struct ra_advice *advice, const struct ra_advice_finding *finding)
{
	const struct ra_advice_rule *rule = finding->rule;
	const struct ra_advice_event *worst = &finding->worst;
	struct ra_table_cell *cells = ra_table_add_row(advice->table);

	cells[RULE] = make_words(rule->id);
	if (!isnan(finding->share)) {
		cells[SHARE] = ra_table_make_real(finding->share);
		cells[THRESHOLD] = ra_table_make_real(rule->threshold);
		cells[TOTAL] = ra_table_make_number(finding->total_ns);
		cells[LONGEST] = ra_table_make_number(worst->dur_ns);
	}
	cells[COUNT] = ra_table_make_count(finding->count);
	cells[START] = ra_table_make_number(worst->start_ns);
	if (worst->device >= 0) {
		cells[DEVICE] = ra_table_make_id((uint32_t) worst->device);
	}
	if (worst->track != RA_NONE && advice->model->tracks[worst->track].tid != 0) {
		cells[TID] = ra_table_make_number(advice->model->tracks[worst->track].tid);
	}
	if (worst->name.length > 0) {
		cells[PLACE] = ra_table_make_text(
			ra_table_keep_text(advice->table, worst->name.bytes, worst->name.length));
	}
	cells[FINDING] = ra_table_make_text(finding->finding);
	if (finding->evidence.length > 0) {
		cells[EVIDENCE] = ra_table_make_text(finding->evidence);
	}
	cells[REMEDY] = ra_table_make_text(finding->remedy);
	cells[REPORTS] = make_words(rule->reports);
	put_step(advice, worst->start_ns, &cells[STEP]);
}

void ra_advice_finish(struct ra_advice *advice)
{
	RA_SORT(advice->findings, advice->finding_count, compare_findings);
	for (size_t i = 0; i < advice->finding_count; i++) {
		add_row(advice, &advice->findings[i]);
	}
}
