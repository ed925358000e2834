/* SPDX-License-Identifier: MIT */
/* Writes a part as msgpack (doc/format.md, section 15). */
#include "analyzer/summary-file/sum-pack.h"

#include "analyzer/base/alloc.h"
#include "format/columns/pack.h"

#define NUMBER_BYTES ((size_t) 9) /* bytes of the longest number */
#define HEAD_BYTES   ((size_t) 5) /* bytes of the longest head of a text or array */
#define FACTS_BYTES  1024u

static size_t find_limit(const struct ra_sum_part *part)
{
	size_t limit = FACTS_BYTES;

	for (size_t i = 0; i < part->text_count; i++) {
		limit += HEAD_BYTES + part->texts[i].length;
	}
	for (size_t i = 0; i < part->row_count; i++) {
		limit += 2 * HEAD_BYTES + (20 + 2 * part->rows[i].stat.bucket_count) * NUMBER_BYTES;
	}
	limit += part->fact_count * (HEAD_BYTES + 2 * NUMBER_BYTES);
	limit += part->projected_count * (HEAD_BYTES + 6 * NUMBER_BYTES);
	limit += part->change_count * (HEAD_BYTES + 6 * NUMBER_BYTES);
	limit += part->call_count * (HEAD_BYTES + 2 * NUMBER_BYTES);
	limit += part->duration_count * NUMBER_BYTES;
	limit += part->step_count * (HEAD_BYTES + (5 + RA_ROLES) * NUMBER_BYTES);
	limit += part->device_count * (HEAD_BYTES + 6 * NUMBER_BYTES);
	return limit + part->remark_count * (HEAD_BYTES + 3 * NUMBER_BYTES);
}

static void put_fact(struct rlog_pack *pack, const char *key, int64_t value)
{
	rlog_pack_key(pack, key);
	rlog_pack_int(pack, value);
}

static void put_facts(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	put_fact(pack, "trace", part->is_trace);
	put_fact(pack, "state", (int64_t) part->state);
	put_fact(pack, "pid", part->pid);
	put_fact(pack, "host", part->host);
	put_fact(pack, "program", part->program);
	put_fact(pack, "options", part->options);
	put_fact(pack, "whole", part->is_whole);
	put_fact(pack, "start_real", part->start_real_ns);
	put_fact(pack, "length", part->length_ns);
	put_fact(pack, "clock_error", part->clock_error_ns);
	rlog_pack_key(pack, "events");
	rlog_pack_uint(pack, part->events);
	rlog_pack_key(pack, "lost");
	rlog_pack_uint(pack, part->lost);
	rlog_pack_key(pack, "gpu");
	rlog_pack_array(pack, 3 + RA_RANK_KINDS);
	rlog_pack_int(pack, part->gpu_span_ns);
	rlog_pack_int(pack, part->gpu_outside_ns);
	rlog_pack_uint(pack, part->gpu_outside_ops);
	for (size_t i = 0; i < RA_RANK_KINDS; i++) {
		rlog_pack_int(pack, part->gpu_exactly_ns[i]);
	}
}

#define FACTS 13u

/* Writes the rank's own time, unless there are no collectives. */
static void put_own(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	if (part->own_stretches > 0) {
		rlog_pack_key(pack, "collective_own");
		rlog_pack_array(pack, 2);
		rlog_pack_uint(pack, part->own_stretches);
		rlog_pack_int(pack, part->own_ns);
	}
}

static void put_texts(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "texts");
	rlog_pack_array(pack, part->text_count);
	for (size_t i = 0; i < part->text_count; i++) {
		rlog_pack_text(pack, part->texts[i].bytes, part->texts[i].length);
	}
}

/* Writes the figures of durations. Each bucket is written as the difference to the bucket before:
 * these numbers are small, and many are equal. */
static void put_stat(struct rlog_pack *pack, const struct ra_sum_stat *stat)
{
	uint32_t before = 0;

	rlog_pack_uint(pack, stat->count);
	rlog_pack_uint(pack, stat->sum_ns);
	rlog_pack_uint(pack, (uint64_t) (stat->squares >> 64));
	rlog_pack_uint(pack, (uint64_t) stat->squares);
	rlog_pack_int(pack, stat->min_ns);
	rlog_pack_int(pack, stat->min_at_ns);
	rlog_pack_int(pack, stat->max_ns);
	rlog_pack_int(pack, stat->max_at_ns);
	rlog_pack_array(pack, 2 * stat->bucket_count);
	for (size_t i = 0; i < stat->bucket_count; i++) {
		rlog_pack_uint(pack, stat->buckets[i].bucket - before);
		rlog_pack_uint(pack, stat->buckets[i].count);
		before = stat->buckets[i].bucket;
	}
}

static void put_rows(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "rows");
	rlog_pack_array(pack, part->row_count);
	for (size_t i = 0; i < part->row_count; i++) {
		const struct ra_sum_row *row = &part->rows[i];

		rlog_pack_array(pack, 21);
		rlog_pack_uint(pack, row->table);
		rlog_pack_uint(pack, row->kind);
		rlog_pack_uint(pack, row->domain);
		rlog_pack_uint(pack, row->name);
		rlog_pack_int(pack, row->parent == RA_NONE ? -1 : (int64_t) row->parent);
		rlog_pack_int(pack, row->device);
		rlog_pack_int(pack, row->total_ns);
		rlog_pack_int(pack, row->self_ns);
		rlog_pack_int(pack, row->gpu_self_ns);
		rlog_pack_int(pack, row->gpu_total_ns);
		rlog_pack_uint(pack, row->bytes);
		rlog_pack_uint(pack, row->errors);
		put_stat(pack, &row->stat);
	}
}

static void put_projected(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "projected");
	rlog_pack_array(pack, part->projected_count);
	for (size_t i = 0; i < part->projected_count; i++) {
		const struct ra_sum_projected *projected = &part->projected[i];

		rlog_pack_array(pack, 6);
		rlog_pack_uint(pack, projected->row);
		rlog_pack_uint(pack, projected->ranges);
		rlog_pack_uint(pack, projected->ops);
		rlog_pack_int(pack, projected->total_ns);
		rlog_pack_int(pack, projected->min_ns);
		rlog_pack_int(pack, projected->max_ns);
	}
}

static void put_changes(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "changes");
	rlog_pack_array(pack, part->change_count);
	for (size_t i = 0; i < part->change_count; i++) {
		const struct ra_sum_change *change = &part->changes[i];

		rlog_pack_array(pack, 6);
		rlog_pack_uint(pack, change->row);
		rlog_pack_uint(pack, change->calls);
		rlog_pack_uint(pack, change->step);
		rlog_pack_int(pack, change->at_ns);
		rlog_pack_int(pack, change->before_ns);
		rlog_pack_int(pack, change->after_ns);
	}
}

static void put_collectives(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "collectives");
	rlog_pack_array(pack, part->call_count);
	for (size_t i = 0; i < part->call_count; i++) {
		const struct ra_sum_calls *calls = &part->calls[i];

		rlog_pack_array(pack, 1 + calls->count);
		rlog_pack_uint(pack, calls->row);
		for (size_t call = 0; call < calls->count; call++) {
			rlog_pack_int(pack, part->durations[calls->first + call]);
		}
	}
}

static void put_starts(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "collective_starts");
	rlog_pack_array(pack, part->call_count);
	for (size_t i = 0; i < part->call_count; i++) {
		rlog_pack_int(pack, part->calls[i].start_ns);
	}
}

static void put_steps(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "steps");
	rlog_pack_array(pack, part->step_count);
	for (size_t i = 0; i < part->step_count; i++) {
		const struct ra_sum_step *step = &part->steps[i];

		rlog_pack_array(pack, 5 + RA_ROLES);
		rlog_pack_uint(pack, step->name);
		rlog_pack_int(pack, step->start_ns);
		for (size_t role = 0; role < RA_ROLES; role++) {
			rlog_pack_int(pack, step->role_ns[role]);
		}
		rlog_pack_int(pack, step->computation_ns);
		rlog_pack_int(pack, step->communication_ns);
		rlog_pack_int(pack, step->overlap_ns);
	}
}

static void put_devices(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "devices");
	rlog_pack_array(pack, part->device_count);
	for (size_t i = 0; i < part->device_count; i++) {
		const struct ra_sum_device *device = &part->devices[i];

		rlog_pack_array(pack, 6);
		rlog_pack_int(pack, device->id);
		rlog_pack_uint(pack, device->name);
		rlog_pack_uint(pack, device->ops);
		rlog_pack_int(pack, device->busy_ns);
		rlog_pack_int(pack, device->kernel_busy_ns);
		rlog_pack_int(pack, device->sync_ns);
	}
}

static void put_remarks(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "remarks");
	rlog_pack_array(pack, part->remark_count);
	for (size_t i = 0; i < part->remark_count; i++) {
		rlog_pack_array(pack, 3);
		rlog_pack_uint(pack, part->remarks[i].key);
		rlog_pack_uint(pack, part->remarks[i].text);
		rlog_pack_uint(pack, part->remarks[i].count);
	}
}

static void put_environment(struct rlog_pack *pack, const struct ra_sum_part *part)
{
	rlog_pack_key(pack, "environment");
	rlog_pack_array(pack, part->fact_count);
	for (size_t i = 0; i < part->fact_count; i++) {
		rlog_pack_array(pack, 2);
		rlog_pack_uint(pack, part->facts[i].key);
		rlog_pack_uint(pack, part->facts[i].text);
	}
}

void ra_sum_pack(const struct ra_sum_part *part, uint8_t **bytes, size_t *count)
{
	const size_t limit = find_limit(part);
	struct rlog_pack pack;

	*bytes = ra_alloc_bytes(limit + RLOG_PACK_SLACK);
	rlog_pack_init(&pack, *bytes, limit);
	rlog_pack_map(&pack, FACTS + 10 + (part->own_stretches > 0));
	put_facts(&pack, part);
	put_texts(&pack, part);
	put_rows(&pack, part);
	put_projected(&pack, part);
	put_changes(&pack, part);
	put_collectives(&pack, part);
	put_starts(&pack, part);
	put_own(&pack, part);
	put_steps(&pack, part);
	put_devices(&pack, part);
	put_remarks(&pack, part);
	put_environment(&pack, part);
	*count = pack.used;
	if (pack.full) {
		ra_alloc_end();
	}
}
