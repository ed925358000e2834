/* SPDX-License-Identifier: MIT */
/* A run's traces as HolisticTraceAnalysis sees them: its rows, its times, its filter. */
#include "analyzer/hta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

static bool starts_with(struct rlog_string name, const char *start)
{
	const size_t length = strlen(start);

	return name.length >= length && memcmp(name.bytes, start, length) == 0;
}

static bool contains(struct rlog_string name, const char *part)
{
	return memmem(name.bytes, name.length, part, strlen(part)) != NULL;
}

static bool starts_with_any(struct rlog_string name, const char *const *starts)
{
	for (size_t i = 0; starts[i] != NULL; i++) {
		if (starts_with(name, starts[i])) {
			return true;
		}
	}
	return false;
}

enum ra_hta_kind ra_hta_find_kind(struct rlog_string name)
{
	static const char *const communication[] = { "nccl", "hip", "hccl", NULL };
	static const char *const memory[] = { "Memcpy", "Memset", "dma", NULL };
	static const char *const other[] = { "Stream Wait Event",
		                             "runFunction",
		                             "job_exe",
		                             "packet",
		                             "pe_exe",
		                             "cpum_exe_subgraph",
		                             "collective_subgraph_execution",
		                             NULL };
	static const char *const other_parts[] = { "Memcpy", "Memset", "dma", "Sync", NULL };

	if (starts_with_any(name, communication) || contains(name, "ncclKernel")) {
		return RA_HTA_COMMUNICATION;
	}
	if (starts_with_any(name, memory)) {
		return RA_HTA_MEMORY;
	}
	if (starts_with_any(name, other) ||
	    (starts_with(name, "cuda") && contains(name, "LaunchKernel"))) {
		return RA_HTA_OTHER;
	}
	for (size_t i = 0; other_parts[i] != NULL; i++) {
		if (contains(name, other_parts[i])) {
			return RA_HTA_OTHER;
		}
	}
	return RA_HTA_COMPUTATION;
}

const char *ra_hta_kind_name(unsigned kinds)
{
	static const char *const names[8] = {
		"OTHER",
		"COMPUTATION",
		"COMMUNICATION",
		"COMPUTATION overlapping COMMUNICATION",
		"MEMORY",
		"COMPUTATION overlapping MEMORY",
		"COMMUNICATION overlapping MEMORY",
		"COMPUTATION overlapping COMMUNICATION overlapping MEMORY",
	};

	return names[kinds & 7];
}

bool ra_hta_is_named(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                     const char *const *names)
{
	const struct rlog_string name = ra_hta_name(rank, row);

	for (size_t i = 0; names[i] != NULL; i++) {
		if (name.length == strlen(names[i]) &&
		    memcmp(name.bytes, names[i], name.length) == 0) {
			return true;
		}
	}
	return false;
}

bool ra_hta_is_step(struct rlog_string name, int64_t *number)
{
	static const char start[] = "ProfilerStep#";
	const size_t at = sizeof(start) - 1;
	int64_t value = 0;
	size_t i = at;

	while (starts_with(name, start) && i < name.length && name.bytes[i] >= '0' &&
	       name.bytes[i] <= '9' && value < INT64_MAX / 100) {
		value = 10 * value + (name.bytes[i] - '0');
		i++;
	}
	if (number != NULL) {
		*number = value;
	}
	return i > at;
}

/* Number of the stream: an integer, a number or a text of digits; else -1. */
static int64_t find_stream(const struct ra_kineto *k, uint32_t event)
{
	struct ra_kineto_value value;
	char text[32];
	char *end;
	double real;

	if (!ra_kineto_get(k, event, RA_KINETO_ARG_STREAM, &value)) {
		return -1;
	}
	if (value.type == RA_KINETO_INT) {
		return value.integer;
	}
	if ((value.type != RA_KINETO_NUMBER && value.type != RA_KINETO_STRING) ||
	    value.text.length == 0 || value.text.length >= sizeof(text)) {
		return -1;
	}
	memcpy(text, value.text.bytes, value.text.length);
	text[value.text.length] = '\0';
	real = strtod(text, &end);
	/* strtod reads 0x0, pandas does not. */
	return *end != '\0' || strpbrk(text, "xXnN") != NULL || !(fabs(real) < 9e15)
	               ? -1
	               : (int64_t) real;
}

static int64_t find_corr(const struct ra_kineto *k, uint32_t event)
{
	int64_t corr = -1;

	if (k->corr[event] != RA_KINETO_NONE) {
		return k->corr[event];
	}
	if (k->kind[event] != RA_KINETO_CPU_OP && k->kind[event] != RA_KINETO_PYTHON_FUNCTION) {
		(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_CORRELATION, &corr);
	}
	return corr;
}

/* pandas makes all times of a column floats if one is, or is missing; HTA rounds them then. */
static bool has_float_times(const struct ra_kineto *k)
{
	for (size_t i = 0; i < k->count && !k->has_ts_point; i++) {
		if ((k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			return true;
		}
	}
	return k->has_ts_point;
}

static void set_times(struct ra_hta_row *row, const struct ra_kineto *k, uint32_t event,
                      bool is_float)
{
	row->ts_us = ra_kineto_us(k->ts_ns[event]);
	row->dur_us = ra_kineto_us(k->dur_ns[event]);
	if (is_float) {
		const double end_us = floor(row->ts_us + row->dur_us);

		row->ts_us = ceil(row->ts_us);
		row->dur_us = end_us - row->ts_us;
	}
}

static int add_row(struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	const int rc =
		ra_util_grow(&rank->rows, &rank->capacity, rank->count + 1, sizeof(*rank->rows));

	if (rc == 0) {
		rank->rows[rank->count++] = *row;
	}
	return rc;
}

static int read_rows(struct ra_hta_rank *rank)
{
	static const char *const waits[] = { "Event Sync", "Context Sync", NULL };
	const struct ra_kineto *k = rank->kineto;
	const bool is_float = has_float_times(k);
	int rc = 0;

	for (uint32_t i = 0; i < k->count && rc == 0; i++) {
		const unsigned needed = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_CAT;
		struct ra_hta_row row = { .event = i, .partner = -1 };

		if ((k->flags[i] & needed) != needed ||
		    ra_kineto_is_text(k, k->categories[k->category[i]].name, "Trace")) {
			continue;
		}
		set_times(&row, k, i, is_float);
		row.stream = find_stream(k, i);
		row.corr = find_corr(k, i);
		row.is_gpu =
			(row.stream >= 0 && row.corr >= 0) || ra_hta_is_named(rank, &row, waits);
		if (row.stream != -1) {
			row.kind = (uint8_t) ra_hta_find_kind(ra_hta_name(rank, &row));
		}
		if (rank->count == 0 || row.ts_us < rank->start_us) {
			rank->start_us = row.ts_us;
		}
		rc = add_row(rank, &row);
	}
	return rc;
}

/* Each side finds the last event of the other that has its correlation. */
static int link_rows(struct ra_hta_rank *rank)
{
	struct ra_util_map last[2] = { { 0 }, { 0 } };
	int rc = 0;

	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (row->corr != -1) {
			rc = ra_util_map_put(&last[row->is_gpu], (uint64_t) row->corr,
			                     (uint32_t) i);
		}
	}
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		struct ra_hta_row *row = &rank->rows[i];
		const uint32_t other = ra_util_map_find(&last[!row->is_gpu], (uint64_t) row->corr);

		row->partner = row->corr < 0 ? row->corr : 0;
		if (row->corr != -1 && other != RA_UTIL_MAP_NONE) {
			row->partner = rank->rows[other].event;
		}
	}
	ra_util_map_free(&last[0]);
	ra_util_map_free(&last[1]);
	return rc;
}

/* What the filter keeps. */
struct window {
	double start_us; /* of the last step, aligned */
	double end_us;   /* of the last step, not aligned: HTA adds the duration before it aligns */
	bool has_end;    /* keep what began until end_us; else what began before start_us */
};

static struct window find_window(const struct ra_hta_rank *rank, double zero_us, bool has_end)
{
	struct window window = { 0, 0, has_end };
	struct window all = { 0, 0, has_end };
	bool has_step = false;
	bool has_row = false;

	for (size_t i = 0; i < rank->count; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		const double end_us = row->ts_us + zero_us + row->dur_us;

		if (row->is_gpu) {
			continue;
		}
		if (ra_hta_is_step(ra_hta_name(rank, row), NULL)) {
			window.start_us = has_step ? fmax(window.start_us, row->ts_us) : row->ts_us;
			window.end_us = has_step ? fmax(window.end_us, end_us) : end_us;
			has_step = true;
		}
		all.start_us = has_row ? fmin(all.start_us, row->ts_us) : row->ts_us;
		all.end_us = has_row ? fmax(all.end_us, end_us) : end_us;
		has_row = true;
	}
	return has_step ? window : all;
}

static bool is_kept(const struct window *window, const struct ra_hta_row *row)
{
	return window->has_end ? row->ts_us <= window->end_us : row->ts_us < window->start_us;
}

/* Adds GPU rows of calls that are kept, once for each such call, as a join does. */
static int keep_gpu_rows(struct ra_hta_rank *kept, const struct ra_hta_rank *rank,
                         const struct window *window)
{
	struct ra_util_map calls = { 0 };
	int rc = 0;

	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];

		if (!row->is_gpu && row->corr >= 0 && is_kept(window, row)) {
			const uint32_t before = ra_util_map_find(&calls, (uint64_t) row->corr);

			rc = ra_util_map_put(&calls, (uint64_t) row->corr,
			                     before == RA_UTIL_MAP_NONE ? 1 : before + 1);
		}
	}
	for (size_t i = 0; i < rank->count && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		uint32_t copies = ra_util_map_find(&calls, (uint64_t) row->corr);

		if (!row->is_gpu || row->corr < 0 || copies == RA_UTIL_MAP_NONE) {
			continue;
		}
		/* No trace needs more; a hostile one would have us make the square of its rows. */
		copies = copies < 4 ? copies : 4;
		while (copies-- > 0 && rc == 0) {
			rc = add_row(kept, row);
		}
	}
	ra_util_map_free(&calls);
	return rc;
}

/* Leaves the rows of the CPU that are kept, where they are: two copies would be a lot. */
static void keep_cpu_rows(struct ra_hta_rank *rank, const struct window *window)
{
	size_t kept = 0;

	for (size_t i = 0; i < rank->count; i++) {
		if (!rank->rows[i].is_gpu && is_kept(window, &rank->rows[i])) {
			rank->rows[kept++] = rank->rows[i];
		}
	}
	rank->count = kept;
}

static int put_before(struct ra_hta_rank *rank, const struct ra_hta_row *rows, size_t count)
{
	const size_t all = rank->count + count;
	const int rc = ra_util_resize(&rank->rows, all + 1, sizeof(*rank->rows));

	if (rc == 0 && count > 0) {
		memmove(rank->rows + count, rank->rows, rank->count * sizeof(*rows));
		memcpy(rank->rows, rows, count * sizeof(*rows));
	}
	rank->count = rc == 0 ? all : rank->count;
	rank->capacity = all + 1;
	return rc;
}

static int filter_rank(struct ra_hta_rank *rank, double zero_us, bool keeps_last)
{
	const struct window window = find_window(rank, zero_us, keeps_last);
	struct ra_hta_rank kept = *rank;
	size_t cpu_rows = 0;
	int rc;

	for (size_t i = 0; i < rank->count; i++) {
		cpu_rows += !rank->rows[i].is_gpu;
	}
	if (cpu_rows == 0) {
		return 0;
	}
	kept.rows = NULL;
	kept.count = 0;
	kept.capacity = 0;
	rc = keep_gpu_rows(&kept, rank, &window);
	if (rc == 0) {
		keep_cpu_rows(rank, &window);
		rc = put_before(rank, kept.rows, kept.count);
	}
	free(kept.rows);
	return rc;
}

/* True if there are steps with two numbers at least: only then HTA filters. */
static bool has_steps(const struct ra_hta *hta)
{
	int64_t first = -1;
	int64_t number;

	for (size_t r = 0; r < hta->count; r++) {
		for (size_t i = 0; i < hta->ranks[r].count; i++) {
			const struct ra_hta_rank *rank = &hta->ranks[r];

			if (!ra_hta_is_step(ra_hta_name(rank, &rank->rows[i]), &number)) {
				continue;
			}
			if (first != -1 && number != first) {
				return true;
			}
			first = number;
		}
	}
	return false;
}

static int index_rows(struct ra_hta_rank *rank)
{
	const size_t bytes = (rank->kineto != NULL ? rank->kineto->count : 0) * sizeof(uint32_t);

	rank->row_of = malloc(bytes + 1);
	if (rank->row_of == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	memset(rank->row_of, 0xff, bytes);
	for (size_t i = 0; i < rank->count; i++) {
		rank->row_of[rank->rows[i].event] = (uint32_t) i;
	}
	return 0;
}

/* All ranks begin with the first event of any. */
static int align(struct ra_hta *hta, bool keeps_last)
{
	double zero_us = INFINITY;
	bool is_filtered;
	int rc = 0;

	for (size_t r = 0; r < hta->count; r++) {
		if (hta->ranks[r].count > 0) {
			zero_us = fmin(zero_us, hta->ranks[r].start_us);
		}
	}
	for (size_t r = 0; r < hta->count; r++) {
		for (size_t i = 0; i < hta->ranks[r].count; i++) {
			hta->ranks[r].rows[i].ts_us -= zero_us;
		}
	}
	is_filtered = has_steps(hta);
	for (size_t r = 0; r < hta->count && rc == 0; r++) {
		if (is_filtered) {
			rc = filter_rank(&hta->ranks[r], zero_us, keeps_last);
		}
		if (rc == 0) {
			rc = index_rows(&hta->ranks[r]);
		}
	}
	return rc;
}

int ra_hta_init(struct ra_hta *hta, const struct ra_report_input *input)
{
	int rc = 0;

	*hta = (struct ra_hta){ 0 };
	hta->ranks = calloc(input->model_count + 1, sizeof(*hta->ranks));
	if (hta->ranks == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < input->model_count && rc == 0; i++) {
		struct ra_hta_rank *rank = &hta->ranks[hta->count];

		if (input->models[i]->kineto == NULL) {
			continue;
		}
		hta->count++;
		rank->kineto = input->models[i]->kineto;
		rank->rank = input->ranks[i];
		rc = read_rows(rank);
		if (rc == 0) {
			rc = link_rows(rank);
		}
	}
	return rc != 0 ? rc : align(hta, input->settings->last_step != 0);
}

void ra_hta_fini(struct ra_hta *hta)
{
	for (size_t i = 0; i < hta->count; i++) {
		free(hta->ranks[i].rows);
		free(hta->ranks[i].row_of);
	}
	free(hta->ranks);
	*hta = (struct ra_hta){ 0 };
}
