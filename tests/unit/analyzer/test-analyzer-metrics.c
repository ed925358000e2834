/* SPDX-License-Identifier: MIT */
/* Tests metrics: compares them with their definitions, computed range by range. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/median.h"
#include "analyzer/base/order/middle.h"
#include "analyzer/base/order/order.h"
#include "analyzer/figures/ranges/metrics.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

static uint64_t state = 1;

static uint64_t roll(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static int compare_values(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *) left;
	const uint32_t b = *(const uint32_t *) right;

	return a < b ? -1 : a > b;
}

static bool finds_median(size_t count, unsigned bits)
{
	uint32_t *values = calloc(count + 1, sizeof(*values));
	uint32_t *sorted = calloc(count + 1, sizeof(*sorted));
	struct ra_median median;
	bool same;

	if (values == NULL || sorted == NULL) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < count; i++) {
		/* Some spread over all sizes, some over few values. */
		const unsigned size = roll(2) ? bits : 1 + (unsigned) roll(bits);

		values[i] = (uint32_t) roll(UINT64_C(1) << size);
		sorted[i] = values[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_values);
	median = ra_median_select(values, count, sorted[0], sorted[count - 1]);
	same = median.lower == sorted[(count - 1) / 2] && median.upper == sorted[count / 2];
	free(values);
	free(sorted);
	return same;
}

static void test_median(void)
{
	const struct ra_median none = ra_median_select(NULL, 0, 0, 0);
	bool same = true;

	tap_ok(none.lower == 0 && none.upper == 0, "the median of nothing is 0");
	for (size_t count = 1; count < 200 && same; count++) {
		same = finds_median(count, 1 + (unsigned) roll(32));
	}
	tap_ok(same, "medians of 1 to 199 values are exact");
	for (int i = 0; i < 100 && same; i++) {
		same = finds_median(200 + (size_t) roll(20000), 1 + (unsigned) roll(32));
	}
	tap_ok(same, "medians of up to 20000 values are exact");
}

/* Values of up to 62 bits, that pass by several times. *passes: at most, so far. */
static bool finds_middle(size_t count, unsigned bits, bool is_watched, unsigned *passes)
{
	int64_t *values = calloc(count + 1, sizeof(*values));
	struct ra_middle middle = { .is_watched = is_watched };
	const uint64_t base = roll(2) == 0 ? 0 : roll(UINT64_C(1) << bits);
	unsigned pass = 1;
	bool same;

	if (values == NULL) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < count; i++) {
		values[i] = (int64_t) (base + roll(UINT64_C(1) << (1 + roll(bits))));
		ra_middle_add(&middle, (uint64_t) values[i]);
	}
	for (; ra_middle_settle(&middle); pass++) {
		for (size_t i = count; i-- > 0;) {
			ra_middle_narrow(&middle, (uint64_t) values[i]);
		}
	}
	RA_SORT(values, count, ra_order_int64);
	same = middle.lower == values[(count - 1) / 2] && middle.upper == values[count / 2];
	*passes = pass > *passes ? pass : *passes;
	ra_middle_fini(&middle);
	free(values);
	return same;
}

static void test_middle(void)
{
	struct ra_middle none = { 0 };
	unsigned passes = 0;
	bool same = true;

	tap_ok(!ra_middle_settle(&none) && ra_middle_value(&none) == 0,
	       "the median of nothing that passed by is 0");
	for (size_t count = 1; count < 64 && same; count++) {
		same = finds_middle(count, 1 + (unsigned) roll(61), count % 2 == 0, &passes);
	}
	tap_ok(same && passes == 1, "few values pass by once");
	for (int i = 0; i < 400 && same; i++) {
		same = finds_middle(64 + (size_t) roll(20000), 1 + (unsigned) roll(61), i % 2 == 0,
		                    &passes);
	}
	tap_ok(same, "medians of values that are not kept are exact");
	tap_ok(passes > 1 && passes <= 7, "they pass by as often as they have digits");
	passes = 0;
	for (int i = 0; i < 100 && same; i++) {
		same = finds_middle(5000 + (size_t) roll(40000), 1 + (unsigned) roll(11), true,
		                    &passes);
	}
	tap_ok(same && passes == 1, "watched ones that are near each other pass by once");
	passes = 0;
	for (int i = 0; i < 3 && same; i++) {
		same = finds_middle(UINT16_MAX * 6 + (size_t) roll(1000), 1, true, &passes);
	}
	tap_ok(same && passes == 1, "also where one of them comes very often");
}

/* A log of all sorts of ranges over two threads. */
static void fill_log(struct analyzer_log *log)
{
	uint64_t ticks = 1000;
	uint64_t id = 0;

	for (int i = 0; i < 6000; i++) {
		const uint32_t stream = 1 + (uint32_t) roll(2);
		const uint64_t kind = roll(20);

		ticks += roll(100) == 0 ? 3000000000u : roll(50);
		if (kind == 0) {
			(void) analyzer_log_add_id(log, stream, RLOG_OP_START, ticks,
			                           1 + (uint32_t) roll(3), ++id);
		} else if (kind == 1) {
			(void) analyzer_log_add_id(log, stream, RLOG_OP_END, ticks, 0,
			                           1 + roll(id + 1));
		} else if (kind < 11) {
			(void) analyzer_log_add(log, stream, RLOG_OP_PUSH, ticks,
			                        1 + (uint32_t) roll(5), (uint32_t) roll(2));
			if (roll(3) == 0) {
				analyzer_log_set(log, stream, RLOG_ATTR_CATEGORY, 1 + roll(3));
			}
			if (roll(3) == 0) { /* equal bits, different types */
				analyzer_log_set(log, stream, RLOG_ATTR_PTYPE, 1 + roll(2));
				analyzer_log_set(log, stream, RLOG_ATTR_PAYLOAD, roll(3));
			}
		} else {
			(void) analyzer_log_add(log, stream, RLOG_OP_POP, ticks, 0,
			                        (uint32_t) roll(2));
		}
	}
}

static struct ra_attr find_attr(const struct ra_model *m, size_t slice)
{
	static const struct ra_attr none = { 0 };
	const struct ra_attr *attr = ra_model_find_slice_attr(m, (uint32_t) slice);

	return attr == NULL ? none : *attr;
}

static const struct ra_track *find_track(const struct ra_model *m, size_t slice)
{
	const struct ra_track *track = m->tracks;

	while (slice >= track->first_slice + track->slice_count) {
		track++;
	}
	return track;
}

/* Are these the names around the slice? */
static bool has_path(const struct ra_model *m, const struct ra_metrics *metrics, size_t slice,
                     uint32_t path)
{
	while (path != RA_NONE && m->slices.name[slice] == metrics->paths[path].name &&
	       m->slices.domain[slice] == metrics->paths[path].domain) {
		path = metrics->paths[path].parent;
		if (m->slices.parent[slice] == RA_NONE) {
			return path == RA_NONE;
		}
		slice = m->slices.parent[slice];
	}
	return false;
}

/* Does the slice belong to the row? By definition, without any tables. */
static bool belongs(const struct ra_model *m, const struct ra_metrics *metrics, size_t slice,
                    const struct ra_group_key *key, unsigned by)
{
	const struct ra_attr attr = find_attr(m, slice);

	if (find_track(m, slice)->kind != key->kind || m->slices.domain[slice] != key->domain) {
		return false;
	}
	if ((by & RA_GROUP_BY_NAME) != 0 && m->slices.name[slice] != key->name) {
		return false;
	}
	if ((by & RA_GROUP_BY_CATEGORY) != 0 && attr.category != key->category) {
		return false;
	}
	if ((by & RA_GROUP_BY_PAYLOAD) != 0 &&
	    (attr.payload_type != key->payload_type || attr.payload != key->payload)) {
		return false;
	}
	return (by & RA_GROUP_BY_PATH) == 0 || has_path(m, metrics, slice, key->path);
}

/* Time of a slice that no earlier slice of the row on its track covers. */
static int64_t measure_news(const struct ra_model *m, const size_t *members, size_t count,
                            size_t slice)
{
	const struct ra_slices *s = &m->slices;
	const struct ra_track *track = find_track(m, slice);
	int64_t from_ns = s->start_ns[slice];
	const int64_t end_ns = from_ns + s->dur_ns[slice];

	for (size_t i = 0; i < count && track->kind == RA_TRACK_THREAD; i++) {
		const int64_t other_end_ns = s->start_ns[members[i]] + s->dur_ns[members[i]];

		if (find_track(m, members[i]) == track && other_end_ns > from_ns) {
			from_ns = other_end_ns;
		}
	}
	return end_ns > from_ns ? end_ns - from_ns : 0;
}

static int64_t measure_self(const struct ra_model *m, size_t slice)
{
	int64_t self_ns = m->slices.dur_ns[slice];

	if (find_track(m, slice)->kind != RA_TRACK_THREAD) {
		return 0;
	}
	for (size_t i = slice + 1; i < m->slices.count; i++) {
		if (m->slices.parent[i] == slice) {
			self_ns -= m->slices.dur_ns[i];
		}
	}
	return self_ns;
}

static int compare_times(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *) left;
	const int64_t b = *(const int64_t *) right;

	return a < b ? -1 : a > b;
}

static bool same_row(const struct ra_model *m, const struct ra_metrics *metrics,
                     const struct ra_metrics_row *row, unsigned by)
{
	size_t *members = calloc(m->slices.count, sizeof(*members));
	int64_t *times = calloc(m->slices.count, sizeof(*times));
	int64_t total_ns = 0;
	int64_t self_ns = 0;
	size_t count = 0;
	bool same;

	if (members == NULL || times == NULL) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < m->slices.count; i++) {
		if (belongs(m, metrics, i, &row->key, by)) {
			total_ns += measure_news(m, members, count, i);
			self_ns += measure_self(m, i);
			times[count] = m->slices.dur_ns[i];
			members[count++] = i;
		}
	}
	qsort(times, count, sizeof(*times), compare_times);
	same = count > 0 && row->calls == count && row->total_ns == total_ns &&
	       row->self_ns == self_ns && row->self_ns >= 0 && row->min_ns == times[0] &&
	       row->max_ns == times[count - 1] &&
	       row->median_ns == (times[(count - 1) / 2] + times[count / 2]) / 2;
	free(members);
	free(times);
	return same;
}

static void test_groups(const struct ra_model *m, unsigned by, const char *what)
{
	struct ra_metrics metrics;
	int64_t self_sum_ns = 0;
	uint64_t calls = 0;
	bool same = true;

	ra_metrics_init(&metrics, m, by, NULL);
	for (size_t i = 0; i < metrics.count && same; i++) {
		same = same_row(m, &metrics, &metrics.rows[i], by);
		self_sum_ns += metrics.rows[i].self_ns;
		calls += metrics.rows[i].calls;
	}
	tap_ok(same, "by %s: the figures of %zu rows are those of their definitions", what,
	       metrics.count);
	tap_ok(calls == m->slices.count && self_sum_ns == metrics.self_sum_ns,
	       "by %s: every range is in one row", what);
	ra_metrics_fini(&metrics);
}

static void test_random(void)
{
	struct analyzer_log log;
	struct ra_model *m;

	analyzer_log_init(&log);
	fill_log(&log);
	m = analyzer_log_load(&log);
	tap_ok(m->quality.crossing_ranges > 0 && m->span_count > 0 && m->quality.open_ranges > 0,
	       "the log has ranges of every sort");
	test_groups(m, RA_GROUP_BY_NAME, "name");
	test_groups(m, RA_GROUP_BY_DOMAIN, "domain");
	test_groups(m, RA_GROUP_BY_CATEGORY, "category");
	test_groups(m, RA_GROUP_BY_PATH, "path");
	test_groups(m, RA_GROUP_BY_PAYLOAD, "payload");
	test_groups(m, RA_GROUP_BY_NAME | RA_GROUP_BY_PAYLOAD, "name and payload");
	test_groups(m, RA_GROUP_BY_PATH | RA_GROUP_BY_CATEGORY | RA_GROUP_BY_PAYLOAD,
	            "path, category and payload");
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

static void push(struct analyzer_log *log, uint64_t ticks, uint32_t name)
{
	(void) analyzer_log_add(log, 1, RLOG_OP_PUSH, ticks, name, 0);
}

static void pop(struct analyzer_log *log, uint64_t ticks)
{
	(void) analyzer_log_add(log, 1, RLOG_OP_POP, ticks, 0, 0);
}

static void test_recursion(void)
{
	struct analyzer_log log;
	struct ra_metrics metrics;
	struct ra_model *m;

	analyzer_log_init(&log);
	push(&log, 0, 1);
	push(&log, 10, 2);
	push(&log, 20, 1);
	pop(&log, 50);
	pop(&log, 60);
	pop(&log, 100);
	push(&log, 200, 3);
	pop(&log, 200 + UINT64_C(10000000000));
	push(&log, UINT64_C(20000000000), 4);
	push(&log, UINT64_C(20000000000), 5);
	pop(&log, UINT64_C(25000000000));
	pop(&log, UINT64_C(28000000000));
	m = analyzer_log_load(&log);
	ra_metrics_init(&metrics, m, RA_GROUP_BY_NAME, NULL);
	tap_is_int(metrics.rows[0].total_ns, 100, "a name inside itself counts each instant once");
	tap_is_uint(metrics.rows[0].calls, 2, "but every call");
	tap_is_int(metrics.rows[0].self_ns, 80, "self times leave out direct children only");
	tap_is_int(metrics.rows[0].median_ns, 65, "the median of two is their mean");
	tap_is_int(metrics.rows[0].mean_ns, 65,
	           "the average is that of the calls: no less than the shortest");
	tap_is_int(metrics.rows[2].median_ns, 10000000000, "medians over 4.3 s are exact");
	tap_is_int(metrics.rows[3].median_ns + metrics.rows[4].median_ns, 13000000000,
	           "of several rows, too");
	tap_is_int(metrics.self_sum_ns, 18000000100, "self times add up to the time in ranges");
	ra_metrics_fini(&metrics);
	ra_model_destroy(m);
	analyzer_log_fini(&log);
}

int main(void)
{
	test_median();
	test_middle();
	test_recursion();
	test_random();
	return tap_done();
}
