/* SPDX-License-Identifier: MIT */
/* Tests summaries: the error of quantiles, merging in any order, and damaged files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/util.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/sum-pack.h"
#include "analyzer/summary-file/report/sum-set.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define PARTS  12u
#define SPLITS 1000u
#define VALUES 4000u

static uint64_t state = 88172645463325252u;

static uint64_t roll(uint64_t below)
{
	return analyzer_log_roll(&state, below);
}

static void need(int rc)
{
	if (rc != 0) {
		tap_bail("a call failed: %d", rc);
	}
}

static int compare_values(const void *a, const void *b)
{
	const int64_t left = *(const int64_t *) a;
	const int64_t right = *(const int64_t *) b;

	return (left > right) - (left < right);
}

static void test_buckets(void)
{
	bool good = true;

	for (uint32_t bucket = 0; bucket < RA_SUM_STAT_BUCKETS && good; bucket++) {
		const int64_t floor_ns = ra_sum_stat_floor(bucket);
		const int64_t last_ns = bucket + 1 == RA_SUM_STAT_BUCKETS
		                                ? INT64_MAX
		                                : ra_sum_stat_floor(bucket + 1) - 1;

		good = ra_sum_stat_bucket(floor_ns) == bucket &&
		       ra_sum_stat_bucket(last_ns) == bucket;
	}
	tap_ok(good, "each bucket holds its shortest and its longest duration");
}

static void test_quantiles(void)
{
	static const unsigned permilles[] = { 0, 1, 100, 500, 900, 990, 999, 1000 };
	int64_t *values = calloc(VALUES, sizeof(*values));
	struct ra_sum_stat stat = { 0 };
	double mean = 0;
	double squares = 0;
	bool good = true;

	if (values == NULL) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < VALUES; i++) {
		values[i] = (int64_t) roll(UINT64_C(1) << (1 + roll(40)));
		ra_sum_stat_add(&stat, values[i], (int64_t) i);
		mean += (double) values[i] / VALUES;
	}
	for (size_t i = 0; i < VALUES; i++) {
		squares += ((double) values[i] - mean) * ((double) values[i] - mean) / VALUES;
	}
	qsort(values, VALUES, sizeof(*values), compare_values);
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		const size_t nth = ((size_t) permilles[i] * VALUES + 999) / 1000;
		const int64_t exact = values[nth == 0 ? 0 : nth - 1];
		const int64_t got = ra_sum_stat_quantile(&stat, permilles[i]);

		good = good && llabs(got - exact) <= exact / 256 + 1;
	}
	tap_ok(good, "quantiles are within 1/256 of the exact ones");
	mean = ra_sum_stat_deviation(&stat);
	tap_ok(mean * mean > squares * (1 - 1e-9) && mean * mean < squares * (1 + 1e-9),
	       "the deviation is that of the values");
	tap_ok(stat.min_ns == values[0] && stat.max_ns == values[VALUES - 1],
	       "the extremes are exact");
	ra_sum_stat_fini(&stat);
	free(values);
}

/* Compares quantiles of this many values, with some ranks without one, with those of sorted
 * values. */
static bool has_quantiles(size_t count, size_t zeros, bool is_exact)
{
	static const unsigned permilles[] = { 0, 1, 500, 900, 990, 1000 };
	int64_t *values = calloc(count + zeros + 1, sizeof(*values));
	struct ra_sum_spread spread = { 0 };
	const size_t all = count + zeros;
	bool good = true;

	if (values == NULL) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < count; i++) {
		values[i] = (int64_t) roll(UINT64_C(1) << (1 + roll(40)));
		ra_sum_spread_add(&spread, values[i]);
	}
	qsort(values, all, sizeof(*values), compare_values);
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		const size_t nth = ((size_t) permilles[i] * all + 999) / 1000;
		const int64_t exact = all == 0 ? 0 : values[nth == 0 ? 0 : nth - 1];
		const int64_t got = ra_sum_spread_quantile(&spread, all, permilles[i]);
		const bool is_end = permilles[i] == 0 || permilles[i] == 1000;

		good = good &&
		       (is_exact || is_end ? got == exact : llabs(got - exact) <= exact / 256 + 1);
	}
	ra_sum_spread_fini(&spread);
	free(values);
	return good;
}

static void test_spreads(void)
{
	bool good = true;

	for (size_t count = 0; count < 70 && good; count++) {
		good = has_quantiles(count, 0, true) && has_quantiles(count, roll(40), true);
	}
	tap_ok(good, "quantiles of few ranks are exact");
	tap_ok(has_quantiles(RA_SUM_SPREAD_EXACT, 3, true) &&
	               has_quantiles(RA_SUM_SPREAD_EXACT + 1, 0, false) &&
	               has_quantiles(5000, 700, false),
	       "those of many are within 1/256, their extremes exact");
}

static bool is_same_stat(const struct ra_sum_stat *a, const struct ra_sum_stat *b)
{
	bool same = a->count == b->count && a->sum_ns == b->sum_ns && a->squares == b->squares &&
	            a->min_ns == b->min_ns && a->min_at_ns == b->min_at_ns &&
	            a->max_ns == b->max_ns && a->max_at_ns == b->max_at_ns &&
	            a->bucket_count == b->bucket_count;

	for (size_t i = 0; i < a->bucket_count && same; i++) {
		same = a->buckets[i].bucket == b->buckets[i].bucket &&
		       a->buckets[i].count == b->buckets[i].count;
	}
	return same;
}

static void test_merge_of_stats(void)
{
	bool good = true;

	for (size_t round = 0; round < 200 && good; round++) {
		struct ra_sum_stat whole = { 0 };
		struct ra_sum_stat pieces[4] = { { 0 } };

		for (size_t i = 0; i < 200; i++) {
			const int64_t dur_ns = roll(4) == 0 ? INT64_MAX - (int64_t) roll(9)
			                                    : (int64_t) roll(100000);

			ra_sum_stat_add(&whole, dur_ns, (int64_t) i);
			ra_sum_stat_add(&pieces[roll(4)], dur_ns, (int64_t) i);
		}
		/* ((2 + 0) + (3 + 1)) */
		ra_sum_stat_merge(&pieces[2], &pieces[0]);
		ra_sum_stat_merge(&pieces[3], &pieces[1]);
		ra_sum_stat_merge(&pieces[2], &pieces[3]);
		good = is_same_stat(&whole, &pieces[2]);
		for (size_t i = 0; i < 4; i++) {
			ra_sum_stat_fini(&pieces[i]);
		}
		ra_sum_stat_fini(&whole);
	}
	tap_ok(good, "figures that were merged are those of all durations, also where sums stop");
}

/* Some rows of a part have GPU work. */
static void add_projected(struct ra_sum_part *part)
{
	for (size_t row = roll(3); row < part->row_count; row += 1 + roll(3)) {
		const int64_t min_ns = (int64_t) roll(1000000);
		const struct ra_sum_projected projected = { .row = (uint32_t) row,
			                                    .ranges = 2,
			                                    .ops = 2 + roll(9),
			                                    .total_ns = 3 * min_ns,
			                                    .min_ns = min_ns,
			                                    .max_ns = 2 * min_ns };

		RA_UTIL_APPEND(part->projected, part->projected_count, part->projected_capacity,
		               projected);
	}
}

/* A part of a log with ranges of all kinds; two in three ranks say which they are. */
static void make_part(struct ra_sum_file *file, size_t number)
{
	const struct ra_sum_build_options options = { .words = "" };
	struct ra_sum_part part = { 0 };
	struct analyzer_log log;
	struct ra_model *model;
	uint64_t ticks = 1000;

	analyzer_log_init(&log);
	for (size_t i = 0; i < 50 + number; i++) {
		analyzer_log_add(&log, 1, RLOG_OP_PUSH, ticks, (uint32_t) (1 + roll(9)), 0);
		analyzer_log_add(&log, 1, RLOG_OP_PUSH, ticks + roll(10), (uint32_t) (1 + roll(9)),
		                 0);
		ticks += 10 + roll(100000);
		analyzer_log_add(&log, 1, RLOG_OP_POP, ticks, 0, 0);
		analyzer_log_add(&log, 1, RLOG_OP_POP, ticks + 5, 0, 0);
		ticks += 20;
	}
	model = analyzer_log_load(&log);
	need(ra_sum_build(&part, model, &options));
	add_projected(&part);
	part.origin.rank = number % 3 == 0 ? -1 : (int64_t) (number / 2);
	part.origin.id[0] = (uint8_t) (number * 77);
	part.origin.id[15] = (uint8_t) number;
	ra_sum_file_add(file, &part);
	ra_sum_fini(&part);
	ra_model_destroy(model);
	analyzer_log_fini(&log);
}

/* Appends a copy of a part. Every tenth is packed anew, as by a program that made it itself. */
static void copy_part(struct ra_sum_file *to, const struct ra_sum_file_part *from)
{
	struct ra_sum_file_part *parts;
	struct ra_sum_part part;
	uint8_t *bytes;

	if (roll(10) == 0) {
		need(ra_sum_file_unpack(from, &part));
		ra_sum_file_add(to, &part);
		ra_sum_fini(&part);
		return;
	}
	parts = realloc(to->parts, (to->count + 1) * sizeof(*parts));
	bytes = malloc(from->size + 1);
	if (parts == NULL || bytes == NULL) {
		tap_bail("no memory");
	}
	memcpy(bytes, from->bytes, from->size);
	to->parts = parts;
	to->capacity = to->count + 1;
	parts[to->count] = *from;
	parts[to->count].bytes = bytes;
	parts[to->count].origin.run.bytes =
		(const char *) bytes + (from->origin.run.bytes - (const char *) from->bytes);
	parts[to->count].origin.source.bytes =
		(const char *) bytes + (from->origin.source.bytes - (const char *) from->bytes);
	to->count++;
}

static void write_file(const struct ra_sum_file *file, const char *path)
{
	FILE *out = fopen(path, "we");
	struct ra_outbuf buffer;

	if (out == NULL) {
		tap_bail("cannot write %s", path);
	}
	ra_outbuf_init(&buffer, fileno(out), false);
	ra_sum_file_write(file, &buffer);
	need(ra_outbuf_finish(&buffer));
	ra_outbuf_fini(&buffer);
	fclose(out);
}

static bool is_same_file(const struct ra_sum_file *a, const struct ra_sum_file *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++) {
		same = a->parts[i].size == b->parts[i].size &&
		       memcmp(a->parts[i].bytes, b->parts[i].bytes, a->parts[i].size) == 0;
	}
	return same;
}

/* Merges the parts by a random tree: each is in one or two leaves, and leaves are joined until one
 * is left. */
static bool merges_alike(const struct ra_sum_file *all)
{
	struct ra_sum_file leaves[5] = { { 0 } };
	size_t count = 5;
	bool same;

	for (size_t i = 0; i < all->count; i++) {
		copy_part(&leaves[roll(5)], &all->parts[i]);
		if (roll(3) == 0) {
			copy_part(&leaves[roll(5)], &all->parts[i]);
		}
	}
	while (count > 1) {
		const size_t to = roll(count - 1);
		struct ra_sum_file *last = &leaves[--count];

		for (size_t i = 0, from = roll(PARTS); i < last->count; i++) {
			copy_part(&leaves[to], &last->parts[(from + i) % last->count]);
		}
		ra_sum_file_fini(last);
		if (roll(2) == 0) {
			(void) ra_sum_file_order(&leaves[to]);
		}
	}
	(void) ra_sum_file_order(&leaves[0]);
	same = is_same_file(&leaves[0], all);
	ra_sum_file_fini(&leaves[0]);
	return same;
}

static void test_merge_of_files(void)
{
	struct ra_sum_file all = { 0 };
	bool good = true;

	for (size_t i = 0; i < PARTS; i++) {
		make_part(&all, i);
	}
	tap_is_uint(ra_sum_file_order(&all), 0, "parts of different inputs are all kept");
	for (size_t i = 0; i < SPLITS && good; i++) {
		good = merges_alike(&all);
	}
	tap_ok(good, "%u random splits, trees and orders give the same bytes", SPLITS);
	ra_sum_file_fini(&all);
}

static void test_set(void)
{
	struct ra_sum_set set = { 0 };
	struct ra_sum_file file = { 0 };
	struct ra_sum_part part;
	uint64_t events = 0;
	int64_t total_ns = 0;
	int64_t sum_ns = 0;

	for (size_t i = 0; i < 3; i++) {
		make_part(&file, i);
		need(ra_sum_file_unpack(&file.parts[i], &part));
		events += part.events;
		for (size_t row = 0; row < part.row_count; row++) {
			total_ns +=
				part.rows[row].table == RA_SUM_RANGES ? part.rows[row].total_ns : 0;
		}
		ra_sum_fini(&part);
	}
	need(ra_sum_set_add_file(&set, &file));
	for (size_t i = 0; i < set.total_count; i++) {
		sum_ns += set.totals[i].row.total_ns;
	}
	tap_is_int(sum_ns, total_ns, "the rows of a set add up to those of its parts");
	tap_is_uint(set.sources[0].events + set.sources[1].events + set.sources[2].events, events,
	            "and so do the events");
	ra_sum_set_fini(&set);
	ra_sum_file_fini(&file);
}

/* Reads and unpacks a file of these bytes. Return: 0 if all of it was accepted. */
static int try_bytes(const char *path, const uint8_t *bytes, size_t size)
{
	struct ra_sum_file file = { 0 };
	FILE *out = fopen(path, "we");
	int rc;

	if (out == NULL || fwrite(bytes, 1, size, out) != size) {
		tap_bail("cannot write %s", path);
	}
	fclose(out);
	rc = ra_sum_file_read(&file, path, NULL);
	for (size_t i = 0; i < file.count && rc == 0; i++) {
		struct ra_sum_part part;

		rc = ra_sum_file_unpack(&file.parts[i], &part);
		ra_sum_fini(&part);
	}
	ra_sum_file_fini(&file);
	return rc;
}

/* Payloads with changed bytes, past their CRC. */
static void test_garbage(const struct ra_sum_file *file)
{
	struct ra_sum_part part;
	uint8_t *bytes = NULL;
	size_t size = 0;
	size_t refused = 0;

	need(ra_sum_file_unpack(&file->parts[0], &part));
	ra_sum_pack(&part, &bytes, &size);
	ra_sum_fini(&part);
	for (size_t i = 0; i < 4000; i++) {
		const size_t at = roll(size);
		const uint8_t before = bytes[at];

		bytes[at] = (uint8_t) roll(256);
		memset(&part, 0, sizeof(part));
		refused += ra_sum_pack_read(&part, bytes, size) != 0;
		ra_sum_fini(&part);
		bytes[at] = before;
	}
	tap_ok(refused > 200, "payloads with wrong bytes do no harm, and most are refused");
	free(bytes);
}

static void test_damage(void)
{
	char path[] = "/tmp/test-sums-XXXXXX";
	const int fd = mkstemp(path);
	struct ra_sum_file file = { 0 };
	uint8_t *bytes = NULL;
	size_t size;
	bool good = true;
	FILE *in;

	make_part(&file, 1);
	make_part(&file, 2);
	(void) ra_sum_file_order(&file);
	write_file(&file, path);
	in = fopen(path, "re");
	size = file.parts[0].size + file.parts[1].size + 16;
	bytes = calloc(1, size + 1);
	if (fd < 0 || in == NULL || bytes == NULL || fread(bytes, 1, size + 1, in) != size) {
		tap_bail("cannot read %s", path);
	}
	fclose(in);
	tap_is_int(try_bytes(path, bytes, size), 0, "a file that was written is read");
	for (size_t i = 0; i < size && good; i += 1 + roll(20)) {
		bytes[i] ^= 0x10;
		good = try_bytes(path, bytes, size) != 0;
		bytes[i] ^= 0x10;
		good = good && try_bytes(path, bytes, i) != 0;
	}
	tap_ok(good, "files with a wrong bit or cut anywhere are refused");
	tap_is_int(try_bytes(path, bytes, 0), -RLOG_E_EMPTY, "an empty file is said to be empty");
	bytes[8] = 2;
	tap_is_int(try_bytes(path, bytes, size), -RLOG_E_VERSION, "newer versions are refused");
	test_garbage(&file);
	ra_sum_file_fini(&file);
	free(bytes);
	close(fd);
	unlink(path);
}

int main(void)
{
	test_buckets();
	test_quantiles();
	test_spreads();
	test_merge_of_stats();
	test_merge_of_files();
	test_set();
	test_damage();
	return tap_done();
}
