/* SPDX-License-Identifier: MIT */
/* Reads a part from msgpack (doc/format.md, section 15). The bytes may be forged. */
#include "analyzer/summary-file/sum-pack.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "format/columns/cursor.h"

/* The bytes to read. The first failure is kept; everything read after it is 0. */
struct input {
	struct rlog_cursor cursor;
	struct ra_sum_part *part;
	bool has_projected; /* the part has the keys that summaries of older versions lack */
	bool has_environment;
	int rc;
};

static struct rlog_cursor_int take_number(struct input *in)
{
	struct rlog_cursor_int value = { 0 };

	if (in->rc == 0) {
		in->rc = rlog_cursor_read_int(&in->cursor, &value);
	}
	return in->rc == 0 ? value : (struct rlog_cursor_int){ 0 };
}

static uint64_t take_uint(struct input *in)
{
	const struct rlog_cursor_int value = take_number(in);

	if (value.negative && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	return value.bits;
}

static int64_t take_int(struct input *in)
{
	const struct rlog_cursor_int value = take_number(in);

	if (!value.negative && value.bits > INT64_MAX && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	return (int64_t) value.bits;
}

/* Reads a time, which must not be negative. */
static int64_t take_time(struct input *in)
{
	const int64_t time_ns = take_int(in);

	if (time_ns < 0 && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	return time_ns;
}

/* Reads an index. In the map that we write, texts come before indices, but others may write another
 * order; so indices are checked when everything is read. */
static uint32_t take_index(struct input *in)
{
	const uint64_t index = take_uint(in);

	if (index >= RA_NONE && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	return (uint32_t) index;
}

static uint32_t take_array(struct input *in)
{
	uint32_t count = 0;

	if (in->rc == 0) {
		in->rc = rlog_cursor_read_array(&in->cursor, &count);
	}
	return in->rc == 0 ? count : 0;
}

/* Begins the array of a row. Later versions may have made it longer. Return: how many elements it
 * has after the `known` ones. */
static uint32_t take_row(struct input *in, uint32_t known)
{
	const uint32_t count = take_array(in);

	if (count < known && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	return in->rc == 0 ? count - known : 0;
}

static void pass_over(struct input *in, uint32_t count)
{
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		in->rc = rlog_cursor_skip(&in->cursor);
	}
}

/* Allocates a list, which must not have come already. */
static void *take_list(struct input *in, const void *before, size_t size, uint32_t *count)
{
	*count = take_array(in);
	if (in->rc == 0 && before != NULL) {
		in->rc = -RLOG_E_SCHEMA;
	}
	if (in->rc != 0) {
		*count = 0;
		return NULL;
	}
	return ra_alloc_zeros((size_t) *count + 1, size);
}

static void read_texts(struct input *in)
{
	const uint32_t count = take_array(in);

	if (in->part->text_count > 0 && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		struct rlog_string text = { 0 };

		in->rc = rlog_cursor_read_text(&in->cursor, &text.bytes, &text.length);
		text.full_length = text.length;
		if (in->rc == 0) {
			(void) ra_sum_keep(in->part, text);
		}
	}
}

static void read_buckets(struct input *in, struct ra_sum_stat *stat)
{
	const uint32_t count = take_array(in);
	uint64_t bucket = 0;

	if (count % 2 != 0 && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < count / 2 && in->rc == 0; i++) {
		const uint64_t step = take_uint(in);
		const uint64_t times = take_uint(in);

		bucket += step < RA_SUM_STAT_BUCKETS ? step : RA_SUM_STAT_BUCKETS;
		if (bucket >= RA_SUM_STAT_BUCKETS || times == 0 || (i > 0 && step == 0)) {
			in->rc = in->rc != 0 ? in->rc : -RLOG_E_SCHEMA;
			return;
		}
		if (in->rc == 0) {
			ra_sum_stat_count(stat, (uint32_t) bucket, times);
		}
	}
}

static void read_stat(struct input *in, struct ra_sum_stat *stat)
{
	stat->count = take_uint(in);
	stat->sum_ns = take_uint(in);
	stat->squares = (ra_sum_u128) take_uint(in) << 64;
	stat->squares |= take_uint(in);
	stat->min_ns = take_time(in);
	stat->min_at_ns = take_int(in);
	stat->max_ns = take_time(in);
	stat->max_at_ns = take_int(in);
	read_buckets(in, stat);
}

static void read_row(struct input *in)
{
	const uint32_t more = take_row(in, 21);
	struct ra_sum_row *row;
	int64_t parent;

	if (in->rc != 0) {
		return;
	}
	row = ra_sum_add_row(in->part);
	row->table = take_index(in);
	row->kind = take_index(in);
	row->domain = take_index(in);
	row->name = take_index(in);
	parent = take_int(in);
	if (parent >= (int64_t) in->part->row_count - 1 && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	row->parent = parent < 0 ? RA_NONE : (uint32_t) parent;
	row->device = take_int(in);
	row->total_ns = take_time(in);
	row->self_ns = take_int(in);
	row->gpu_self_ns = take_time(in);
	row->gpu_total_ns = take_time(in);
	row->bytes = take_uint(in);
	row->errors = take_uint(in);
	read_stat(in, &row->stat);
	pass_over(in, more);
}

static void read_rows(struct input *in)
{
	const uint32_t count = take_array(in);

	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		read_row(in);
	}
}

static void read_projected(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_projected *rows = take_list(in, part->projected, sizeof(*rows), &count);

	if (rows == NULL) {
		return;
	}
	part->projected = rows;
	in->has_projected = true;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 6);

		rows[i].row = take_index(in);
		rows[i].ranges = take_uint(in);
		rows[i].ops = take_uint(in);
		rows[i].total_ns = take_time(in);
		rows[i].min_ns = take_time(in);
		rows[i].max_ns = take_time(in);
		pass_over(in, more);
		if (i > 0 && rows[i].row <= rows[i - 1].row && in->rc == 0) {
			in->rc = -RLOG_E_SCHEMA;
		}
		part->projected_count++;
	}
}

static void read_changes(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_change *changes = take_list(in, part->changes, sizeof(*changes), &count);

	if (changes == NULL) {
		return;
	}
	part->changes = changes;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 6);

		changes[i].row = take_index(in);
		changes[i].calls = take_uint(in);
		changes[i].step = take_index(in);
		changes[i].at_ns = take_int(in);
		changes[i].before_ns = take_time(in);
		changes[i].after_ns = take_time(in);
		pass_over(in, more);
		if (i > 0 && changes[i].row <= changes[i - 1].row && in->rc == 0) {
			in->rc = -RLOG_E_SCHEMA;
		}
		part->change_count++;
	}
}

static void read_collectives(struct input *in)
{
	struct ra_sum_part *part = in->part;
	const uint32_t count = take_array(in);

	if (part->call_count > 0 && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t calls = take_row(in, 1);
		const uint32_t row = take_index(in);

		if (i > 0 && row <= part->calls[i - 1].row && in->rc == 0) {
			in->rc = -RLOG_E_SCHEMA;
		}
		if (in->rc == 0) {
			ra_sum_add_calls(part, row, RA_SUM_NO_START);
		}
		for (uint32_t call = 0; call < calls && in->rc == 0; call++) {
			const int64_t dur_ns = take_time(in);

			if (in->rc == 0) {
				ra_sum_add_duration(part, dur_ns);
			}
		}
	}
}

/* Reads the starts. They come after the collectives. */
static void read_starts(struct input *in)
{
	const uint32_t count = take_array(in);

	if (count != in->part->call_count && in->rc == 0) {
		in->rc = -RLOG_E_SCHEMA;
	}
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		in->part->calls[i].start_ns = take_int(in);
	}
}

static void read_steps(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_step *steps = take_list(in, part->steps, sizeof(*steps), &count);

	if (steps == NULL) {
		return;
	}
	part->steps = steps;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 5 + RA_ROLES);

		steps[i].name = take_index(in);
		steps[i].start_ns = take_int(in);
		for (size_t role = 0; role < RA_ROLES; role++) {
			steps[i].role_ns[role] = take_time(in);
		}
		steps[i].computation_ns = take_time(in);
		steps[i].communication_ns = take_time(in);
		steps[i].overlap_ns = take_time(in);
		pass_over(in, more);
		part->step_count++;
	}
}

static void read_devices(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_device *devices = take_list(in, part->devices, sizeof(*devices), &count);

	if (devices == NULL) {
		return;
	}
	part->devices = devices;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 6);

		devices[i].id = take_int(in);
		devices[i].name = take_index(in);
		devices[i].ops = take_uint(in);
		devices[i].busy_ns = take_time(in);
		devices[i].kernel_busy_ns = take_time(in);
		devices[i].sync_ns = take_time(in);
		pass_over(in, more);
		part->device_count++;
	}
}

static void read_remarks(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_remark *remarks = take_list(in, part->remarks, sizeof(*remarks), &count);

	if (remarks == NULL) {
		return;
	}
	part->remarks = remarks;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 3);

		remarks[i].key = take_index(in);
		remarks[i].text = take_index(in);
		remarks[i].count = take_uint(in);
		pass_over(in, more);
		part->remark_count++;
	}
}

static void read_environment(struct input *in)
{
	struct ra_sum_part *part = in->part;
	uint32_t count;
	struct ra_sum_fact *facts = take_list(in, part->facts, sizeof(*facts), &count);

	if (facts == NULL) {
		return;
	}
	part->facts = facts;
	in->has_environment = true;
	for (uint32_t i = 0; i < count && in->rc == 0; i++) {
		const uint32_t more = take_row(in, 2);

		facts[i].key = take_index(in);
		facts[i].text = take_index(in);
		pass_over(in, more);
		part->fact_count++;
	}
}

static void read_gpu(struct input *in)
{
	const uint32_t more = take_row(in, 3 + RA_RANK_KINDS);

	in->part->gpu_span_ns = take_time(in);
	in->part->gpu_outside_ns = take_time(in);
	in->part->gpu_outside_ops = take_uint(in);
	for (size_t i = 0; i < RA_RANK_KINDS; i++) {
		in->part->gpu_exactly_ns[i] = take_time(in);
	}
	pass_over(in, more);
}

static void read_own(struct input *in)
{
	const uint32_t more = take_row(in, 2);

	in->part->own_stretches = take_uint(in);
	in->part->own_ns = take_time(in);
	pass_over(in, more);
}

static bool is_key(const char *key, uint32_t length, const char *word)
{
	return length == strlen(word) && memcmp(key, word, length) == 0;
}

static bool read_fact(struct input *in, const char *key, uint32_t length)
{
	struct ra_sum_part *part = in->part;

	if (is_key(key, length, "trace")) {
		part->is_trace = take_uint(in) != 0;
	} else if (is_key(key, length, "state")) {
		const uint64_t state = take_uint(in);

		part->state =
			state > RA_SUM_INCOMPLETE ? RA_SUM_INCOMPLETE : (enum ra_sum_state) state;
	} else if (is_key(key, length, "pid")) {
		part->pid = take_int(in);
	} else if (is_key(key, length, "host")) {
		part->host = take_index(in);
	} else if (is_key(key, length, "program")) {
		part->program = take_index(in);
	} else if (is_key(key, length, "options")) {
		part->options = take_index(in);
	} else if (is_key(key, length, "whole")) {
		part->is_whole = take_uint(in) != 0;
	} else if (is_key(key, length, "start_real")) {
		part->start_real_ns = take_int(in);
	} else if (is_key(key, length, "length")) {
		part->length_ns = take_time(in);
	} else if (is_key(key, length, "clock_error")) {
		part->clock_error_ns = take_time(in);
	} else if (is_key(key, length, "events")) {
		part->events = take_uint(in);
	} else if (is_key(key, length, "lost")) {
		part->lost = take_uint(in);
	} else {
		return false;
	}
	return true;
}

static void read_member(struct input *in)
{
	static const struct {
		const char *key;
		void (*read)(struct input *in);
	} lists[] = {
		{ "texts", read_texts },
		{ "rows", read_rows },
		{ "steps", read_steps },
		{ "devices", read_devices },
		{ "remarks", read_remarks },
		{ "gpu", read_gpu },
		{ "changes", read_changes },
		{ "collectives", read_collectives },
		{ "projected", read_projected },
		{ "environment", read_environment },
		{ "collective_starts", read_starts },
		{ "collective_own", read_own },
	};
	const char *key = NULL;
	uint32_t length = 0;

	in->rc = rlog_cursor_read_text(&in->cursor, &key, &length);
	if (in->rc != 0 || read_fact(in, key, length)) {
		return;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (is_key(key, length, lists[i].key)) {
			lists[i].read(in);
			return;
		}
	}
	in->rc = rlog_cursor_skip(&in->cursor);
}

static bool has_good_indices(const struct ra_sum_part *part)
{
	const size_t count = part->text_count;
	bool good = part->host < count && part->program < count && part->options < count;

	for (size_t i = 0; i < part->row_count && good; i++) {
		good = part->rows[i].name < count && part->rows[i].domain < count;
	}
	for (size_t i = 0; i < part->projected_count && good; i++) {
		good = part->projected[i].row < part->row_count;
	}
	for (size_t i = 0; i < part->change_count && good; i++) {
		good = part->changes[i].row < part->row_count && part->changes[i].step < count;
	}
	for (size_t i = 0; i < part->call_count && good; i++) {
		good = part->calls[i].row < part->row_count &&
		       part->calls[i].count == part->rows[part->calls[i].row].stat.count;
	}
	for (size_t i = 0; i < part->step_count && good; i++) {
		good = part->steps[i].name < count;
	}
	for (size_t i = 0; i < part->device_count && good; i++) {
		good = part->devices[i].name < count;
	}
	for (size_t i = 0; i < part->remark_count && good; i++) {
		good = part->remarks[i].key < count && part->remarks[i].text < count;
	}
	for (size_t i = 0; i < part->fact_count && good; i++) {
		good = part->facts[i].key < count && part->facts[i].text < count;
	}
	return good;
}

int ra_sum_pack_read(struct ra_sum_part *part, const uint8_t *bytes, size_t count)
{
	struct input in = { .cursor = { bytes, bytes + count }, .part = part };
	uint32_t keys = 0;

	in.rc = rlog_cursor_read_map(&in.cursor, &keys);
	for (uint32_t i = 0; i < keys && in.rc == 0; i++) {
		read_member(&in);
	}
	if (in.rc == 0 && (in.cursor.pos != in.cursor.end || !has_good_indices(part))) {
		in.rc = -RLOG_E_SCHEMA;
	}
	part->is_older = !in.has_projected || !in.has_environment;
	return in.rc;
}
