/* SPDX-License-Identifier: MIT */
/* Adds up many parts: figures over ranks, for reports and comparisons. */
#include "analyzer/summary-file/report/sum-set.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

void ra_sum_set_fini(struct ra_sum_set *set)
{
	for (size_t i = 0; i < set->texts.count; i++) {
		free((void *) set->texts.rows[i].bytes);
	}
	for (size_t i = 0; i < set->total_count; i++) {
		ra_sum_stat_fini(&set->totals[i].row.stat);
		ra_sum_spread_fini(&set->totals[i].spread);
	}
	for (size_t i = 0; i < set->step_count; i++) {
		ra_sum_spread_fini(&set->steps[i].spread);
	}
	for (size_t i = 0; i < RA_ROLES; i++) {
		ra_sum_stat_fini(&set->roles[i]);
	}
	ra_sum_texts_fini(&set->texts);
	ra_sum_facts_fini(&set->facts);
	ra_util_map_free(&set->by_key);
	ra_util_map_free(&set->by_step);
	free(set->totals);
	free(set->touched);
	free(set->sources);
	free(set->collectives);
	free(set->durations);
	free(set->remarks);
	free(set->steps);
	memset(set, 0, sizeof(*set));
}

/* Copies a text into the set. */
static uint32_t keep_text(struct ra_sum_set *set, struct rlog_string text)
{
	const size_t count = set->texts.count;
	uint32_t id;

	ra_sum_texts_find(&set->texts, text, &id);
	if (id == count) {
		set->texts.rows[id] = ra_sum_texts_copy(text);
	}
	return id;
}

static bool has_key(const struct ra_sum_total *total, const struct ra_sum_row *key, uint32_t part)
{
	return total->row.table == key->table && total->row.kind == key->kind &&
	       total->row.domain == key->domain && total->row.name == key->name &&
	       total->part == part;
}

/* Finds or adds the row of a key. */
static struct ra_sum_total *find_total(struct ra_sum_set *set, const struct ra_sum_row *key,
                                       uint32_t part)
{
	struct ra_sum_total *total;
	uint64_t word =
		((uint64_t) key->table << 61) ^ ((uint64_t) key->kind << 56) ^
		((uint64_t) key->domain << 34) ^ key->name ^
		(part == RA_NONE ? 0 : (uint64_t) (part + 1) * UINT64_C(0x9E3779B97F4A7C15));
	uint32_t index;

	for (;; word++) {
		index = ra_util_map_find(&set->by_key, word);
		if (index == RA_UTIL_MAP_NONE) {
			break;
		}
		total = &set->totals[index];
		if (has_key(total, key, part)) {
			return total;
		}
	}
	ra_util_grow(&set->totals, &set->total_capacity, set->total_count + 1,
	             sizeof(*set->totals));
	total = &set->totals[set->total_count];
	*total = (struct ra_sum_total){ .row = { .table = key->table,
		                                 .kind = key->kind,
		                                 .domain = key->domain,
		                                 .name = key->name,
		                                 .parent = RA_NONE,
		                                 .device = -1 },
		                        .part = part,
		                        .has_projected = true,
		                        .part_last = RA_NONE };
	ra_util_map_put(&set->by_key, word, (uint32_t) set->total_count++);
	return total;
}

/* Adds a row of a part to a total. A part may have several such rows, of different devices.
 * @change: its step must be a text of the set. */
static void add_to(struct ra_sum_total *total, const struct ra_sum_row *row, uint32_t part,
                   const struct ra_sum_change *change)
{
	struct ra_sum_row *sum = &total->row;

	if (total->part_last != part) {
		total->part_last = part;
		total->part_ns = 0;
		total->parts++;
	}
	total->part_ns = ra_util_add_time(total->part_ns, row->total_ns);
	if (total->parts == 1 || total->part_ns > total->part_max_ns) {
		total->part_max_ns = total->part_ns;
		total->part_max = part;
		total->change = *change;
	}
	sum->total_ns = ra_util_add_time(sum->total_ns, row->total_ns);
	sum->self_ns = ra_util_add_time(sum->self_ns, row->self_ns < 0 ? 0 : row->self_ns);
	sum->gpu_self_ns = ra_util_add_time(sum->gpu_self_ns, row->gpu_self_ns);
	sum->gpu_total_ns = ra_util_add_time(sum->gpu_total_ns, row->gpu_total_ns);
	sum->bytes = ra_util_add(sum->bytes, row->bytes);
	sum->errors = ra_util_add(sum->errors, row->errors);
	ra_sum_stat_merge(&sum->stat, &row->stat);
}

/* Notes a total to which the current part adds, once. */
static void touch(struct ra_sum_set *set, const struct ra_sum_total *total, uint32_t part)
{
	if (!set->by_part && total->part_last != part) {
		RA_UTIL_APPEND(set->touched, set->touched_count, set->touched_capacity,
		               (uint32_t) (total - set->totals));
	}
}

/* Adds the part's sums to the spreads of these totals. Called when all rows of the part were
 * added. */
static void add_spreads(struct ra_sum_set *set)
{
	for (size_t i = 0; i < set->touched_count; i++) {
		struct ra_sum_total *total = &set->totals[set->touched[i]];

		ra_sum_spread_add(&total->spread, total->part_ns);
	}
	set->touched_count = 0;
}

/* Adds the durations of a row's calls, if the part has them. Call it in the order of the rows. */
static void add_durations(struct ra_sum_set *set, const struct ra_sum_part *part, size_t row,
                          struct ra_sum_collective *collective)
{
	struct ra_search at = ra_search_in(0, part->call_count);
	const struct ra_sum_calls *calls;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, part->calls[at.middle].row < row);
	}
	calls = at.low < part->call_count ? &part->calls[at.low] : NULL;
	if (calls == NULL || calls->row != row) {
		return;
	}
	ra_util_grow(&set->durations, &set->duration_capacity, set->duration_count + calls->count,
	             sizeof(*set->durations));
	memcpy(&set->durations[set->duration_count], &part->durations[calls->first],
	       calls->count * sizeof(*set->durations));
	collective->first = set->duration_count;
	collective->start_ns = calls->start_ns;
	collective->is_by_call = true;
	set->duration_count += calls->count;
}

/* Stores a collective of a rank separately, because totals are sums over all ranks. */
static void add_collective(struct ra_sum_set *set, const struct ra_sum_part *part, size_t at,
                           uint32_t name)
{
	const struct ra_sum_row *row = &part->rows[at];
	const uint32_t index = (uint32_t) set->source_count - 1;
	struct ra_sum_collective *collective;

	if (row->table != RA_SUM_KERNELS || row->kind != RA_SUM_COLLECTIVE) {
		return;
	}
	ra_util_grow(&set->collectives, &set->collective_capacity, set->collective_count + 1,
	             sizeof(*set->collectives));
	collective = &set->collectives[set->collective_count++];
	*collective = (struct ra_sum_collective){
		.run = set->sources[index].run_id,
		.name = name,
		.part = index,
		.calls = row->stat.count,
		.total_ns = row->total_ns,
		.start_ns = RA_SUM_NO_START,
	};
	add_durations(set, part, at, collective);
}

/* Finds the change of a row, and makes its step a text of the set. @next: index of the first change
 * not used yet. */
static struct ra_sum_change take_change(struct ra_sum_set *set, const struct ra_sum_part *part,
                                        size_t row, size_t *next)
{
	struct ra_sum_change change = { 0 };

	if (*next < part->change_count && part->changes[*next].row == row) {
		change = part->changes[(*next)++];
		change.step = keep_text(set, part->texts[change.step]);
	}
	return change;
}

/* Adds the GPU work of a row of ranges. @next: index of the first entry not used yet. */
static void add_projected(struct ra_sum_total *total, const struct ra_sum_part *part, size_t row,
                          size_t *next)
{
	struct ra_sum_projected *sum = &total->projected;
	const struct ra_sum_projected *from;

	total->has_projected = total->has_projected && !part->is_older;
	if (*next == part->projected_count || part->projected[*next].row != row) {
		return;
	}
	from = &part->projected[(*next)++];
	sum->min_ns = sum->ranges == 0 || from->min_ns < sum->min_ns ? from->min_ns : sum->min_ns;
	sum->max_ns = from->max_ns > sum->max_ns ? from->max_ns : sum->max_ns;
	sum->ranges = ra_util_add(sum->ranges, from->ranges);
	sum->ops = ra_util_add(sum->ops, from->ops);
	sum->total_ns = ra_util_add_time(sum->total_ns, from->total_ns);
}

/* Adds the rows of a part. Leaves out rows of paths, because over ranks only names are compared. */
static void add_rows(struct ra_sum_set *set, const struct ra_sum_part *part, uint32_t index)
{
	size_t next = 0;
	size_t next_projected = 0;

	for (size_t i = 0; i < part->row_count; i++) {
		struct ra_sum_row key = part->rows[i];
		const struct ra_sum_change change = take_change(set, part, i, &next);
		struct ra_sum_total *total;

		if (key.table >= RA_SUM_TABLES || key.table == RA_SUM_PATHS ||
		    (key.table == RA_SUM_CAUSES && set->without_causes)) {
			continue;
		}
		key.name = keep_text(set, part->texts[part->rows[i].name]);
		key.domain = keep_text(set, part->texts[part->rows[i].domain]);
		total = find_total(set, &key, set->by_part ? index : RA_NONE);
		touch(set, total, index);
		add_to(total, &part->rows[i], index, &change);
		add_projected(total, part, i, &next_projected);
		add_collective(set, part, i, key.name);
	}
	add_spreads(set);
}

static void add_step(struct ra_sum_steps *steps, const struct ra_sum_step *step, uint32_t part)
{
	if (steps->count == 0 || step->role_ns[RA_ROLE_TOTAL] > steps->max_ns) {
		steps->max_ns = step->role_ns[RA_ROLE_TOTAL];
		steps->part_max = part;
	}
	steps->count++;
	for (size_t role = 0; role < RA_ROLES; role++) {
		steps->role_ns[role] = ra_util_add_time(steps->role_ns[role], step->role_ns[role]);
	}
}

static struct ra_sum_steps *find_steps(struct ra_sum_set *set, uint32_t name)
{
	uint32_t index = ra_util_map_find(&set->by_step, name);

	if (index == RA_UTIL_MAP_NONE) {
		index = (uint32_t) set->step_count;
		RA_UTIL_APPEND(set->steps, set->step_count, set->step_capacity,
		               (struct ra_sum_steps){ .name = name });
		ra_util_map_put(&set->by_step, name, index);
	}
	return &set->steps[index];
}

static void add_steps(struct ra_sum_set *set, const struct ra_sum_part *part, uint32_t index)
{
	for (size_t i = 0; i < part->step_count; i++) {
		const struct ra_sum_step *step = &part->steps[i];
		struct ra_sum_steps *steps =
			find_steps(set, keep_text(set, part->texts[step->name]));

		ra_sum_spread_add(&steps->spread, step->role_ns[RA_ROLE_TOTAL]);
		add_step(steps, step, index);
		add_step(&set->sources[index].steps, step, index);
		for (size_t role = 0; role < RA_ROLES; role++) {
			ra_sum_stat_add(&set->roles[role], step->role_ns[role], step->start_ns);
		}
	}
}

static void add_remarks(struct ra_sum_set *set, const struct ra_sum_part *part,
                        struct ra_sum_source *source)
{
	ra_util_grow(&set->remarks, &set->remark_capacity, set->remark_count + part->remark_count,
	             sizeof(*set->remarks));
	source->first_remark = set->remark_count;
	source->remark_count = part->remark_count;
	for (size_t i = 0; i < part->remark_count; i++) {
		struct ra_sum_remark *remark = &set->remarks[set->remark_count++];

		remark->count = part->remarks[i].count;
		remark->key = keep_text(set, part->texts[part->remarks[i].key]);
		remark->text = keep_text(set, part->texts[part->remarks[i].text]);
	}
}

static void add_fact(struct ra_sum_set *set, struct rlog_string key, struct rlog_string text,
                     uint32_t part)
{
	struct ra_sum_fact fact;

	if (text.length > 0) {
		fact.key = keep_text(set, key);
		fact.text = keep_text(set, text);
		ra_sum_facts_add(&set->facts, fact, part, set->by_part);
	}
}

/* Adds the facts about a part's machine. */
static void add_facts(struct ra_sum_set *set, const struct ra_sum_part *part, uint32_t index)
{
	add_fact(set, ra_util_string("host"), part->texts[part->host], index);
	add_fact(set, ra_util_string("program"), part->texts[part->program], index);
	for (size_t i = 0; i < part->device_count; i++) {
		add_fact(set, ra_util_string("gpu"), part->texts[part->devices[i].name], index);
	}
	for (size_t i = 0; i < part->fact_count; i++) {
		add_fact(set, part->texts[part->facts[i].key], part->texts[part->facts[i].text],
		         index);
	}
}

static void fill_numbers(struct ra_sum_source *source, const struct ra_sum_part *part)
{
	source->rank = part->origin.rank;
	source->state = part->state;
	source->is_whole = part->is_whole;
	source->is_older = part->is_older;
	source->events = part->events;
	source->lost = part->lost;
	source->length_ns = part->length_ns;
	source->own_ns = part->own_ns;
	source->own_stretches = part->own_stretches;
	memcpy(source->gpu_exactly_ns, part->gpu_exactly_ns, sizeof(part->gpu_exactly_ns));
	for (size_t i = 0; i < part->device_count; i++) {
		if (part->devices[i].ops > 0) {
			source->devices++;
			source->device_ns = ra_util_add_time(source->device_ns, part->gpu_span_ns);
			source->busy_ns =
				ra_util_add_time(source->busy_ns, part->devices[i].busy_ns);
		}
	}
}

static void add_source(struct ra_sum_set *set, const struct ra_sum_part *part)
{
	struct ra_sum_source source = { 0 };
	const struct rlog_string from[4] = { part->origin.run, part->origin.source,
		                             part->texts[part->host], part->texts[part->options] };
	struct rlog_string *const to[4] = { &source.run, &source.source, &source.host,
		                            &source.options };

	for (size_t i = 0; i < 4; i++) {
		const uint32_t id = keep_text(set, from[i]);

		*to[i] = set->texts.rows[id];
		source.run_id = i == 0 ? id : source.run_id;
	}
	add_remarks(set, part, &source);
	fill_numbers(&source, part);
	RA_UTIL_APPEND(set->sources, set->source_count, set->source_capacity, source);
}

void ra_sum_set_add(struct ra_sum_set *set, const struct ra_sum_part *part)
{
	const uint32_t index = (uint32_t) set->source_count;

	add_source(set, part);
	add_rows(set, part, index);
	add_steps(set, part, index);
	add_facts(set, part, index);
	set->outside_ns = ra_util_add_time(set->outside_ns, part->gpu_outside_ns);
	set->outside_ops = ra_util_add(set->outside_ops, part->gpu_outside_ops);
}

int ra_sum_set_add_file(struct ra_sum_set *set, const struct ra_sum_file *file)
{
	int rc = 0;

	for (size_t i = 0; i < file->count && rc == 0; i++) {
		struct ra_sum_part part;

		rc = ra_sum_file_unpack(&file->parts[i], &part);
		if (rc == 0) {
			ra_sum_set_add(set, &part);
		}
		ra_sum_fini(&part);
	}
	return rc;
}
