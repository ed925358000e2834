/* SPDX-License-Identifier: MIT */
/* Writes a set of summaries as OpenMetrics text, for Prometheus and others. */
#include "analyzer/summary-file/report/sum-metrics.h"

#include "analyzer/names/group.h"

/* The tables whose rows become metrics. */
static const struct {
	enum ra_sum_table table;
	const char *name;
	const char *help;
} families[] = {
	{ RA_SUM_RANGES, "ranges_range_seconds", "Durations of ranges." },
	{ RA_SUM_KERNELS, "ranges_kernel_seconds", "Durations of kernels." },
	{ RA_SUM_COPIES, "ranges_copy_seconds", "Durations of copies and memsets." },
	{ RA_SUM_APIS, "ranges_api_seconds", "Durations of calls of CUDA." },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

static void put_seconds(struct ra_util_text *text, uint64_t ns)
{
	ra_util_text_format(text, " %llu.%09llu\n", (unsigned long long) (ns / 1000000000u),
	                    (unsigned long long) (ns % 1000000000u));
}

/* Writes label="value". Quotes and backslashes are escaped. */
static void put_label(struct ra_util_text *text, const char *label, struct rlog_string value,
                      char before)
{
	struct ra_util_text safe = { 0 };

	ra_util_text_put_name(&safe, value, RA_TEXT_TERMINAL);
	ra_util_text_format(text, "%c%s=\"", before, label);
	for (size_t i = 0; i < safe.length; i++) {
		if (safe.bytes[i] == '\\' || safe.bytes[i] == '"') {
			ra_util_text_put_char(text, '\\');
		}
		ra_util_text_put_char(text, safe.bytes[i]);
	}
	ra_util_text_put_char(text, '"');
	ra_util_text_free(&safe);
}

static void put_source(struct ra_util_text *text, const struct ra_sum_source *source, char before)
{
	struct ra_util_text name = { 0 };

	ra_sum_set_put_source(&name, source);
	put_label(text, "rank", (struct rlog_string){ name.bytes, (uint32_t) name.length, 0 },
	          before);
	ra_util_text_free(&name);
}

static const char *name_kind(const struct ra_sum_row *row)
{
	switch (row->table) {
	case RA_SUM_RANGES:
		return row->kind == RA_TRACK_START_END ? "start/end"
		       : row->kind == RA_GROUP_WAIT    ? "wait"
		                                       : "push/pop";
	case RA_SUM_APIS:
		return "call";
	default:
		return row->kind == RA_SUM_COLLECTIVE ? "collective"
		       : row->kind == RA_GPU_GRAPH    ? "graph"
		       : row->kind == RA_GPU_SET      ? "set"
		       : row->kind == RA_GPU_COPY     ? "copy"
		                                      : "kernel";
	}
}

/* Writes the labels that together identify a row. */
static void put_labels(struct ra_util_text *text, const struct ra_sum_set *set,
                       const struct ra_sum_total *total)
{
	put_label(text, "name", set->texts.rows[total->row.name], '{');
	ra_util_text_format(text, ",kind=\"%s\"", name_kind(&total->row));
	if (total->row.table == RA_SUM_RANGES) {
		put_label(text, "domain", set->texts.rows[total->row.domain], ',');
	}
	if (total->part != RA_NONE) {
		ra_util_text_format(text, ",input=\"%lu\"", (unsigned long) total->part);
		put_source(text, &set->sources[total->part], ',');
	}
}

static void put_total(struct ra_util_text *text, const struct ra_sum_set *set, const char *name,
                      const struct ra_sum_total *total)
{
	static const struct {
		unsigned permille;
		const char *word;
	} quantiles[] = { { 500, "0.5" }, { 900, "0.9" }, { 990, "0.99" } };
	const struct ra_sum_stat *stat = &total->row.stat;

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		ra_util_text_format(text, "%s", name);
		put_labels(text, set, total);
		ra_util_text_format(text, ",quantile=\"%s\"}", quantiles[i].word);
		put_seconds(text, (uint64_t) ra_sum_stat_quantile(stat, quantiles[i].permille));
	}
	ra_util_text_format(text, "%s_sum", name);
	put_labels(text, set, total);
	ra_util_text_put_char(text, '}');
	put_seconds(text, stat->sum_ns);
	ra_util_text_format(text, "%s_count", name);
	put_labels(text, set, total);
	ra_util_text_format(text, "} %llu\n", (unsigned long long) stat->count);
}

static void begin(struct ra_util_text *text, const char *name, const char *type, const char *unit,
                  const char *help)
{
	ra_util_text_format(text, "# TYPE %s %s\n", name, type);
	if (unit != NULL) {
		ra_util_text_format(text, "# UNIT %s %s\n", name, unit);
	}
	ra_util_text_format(text, "# HELP %s %s\n", name, help);
}

/* Writes the metrics about each input. */
static void put_inputs(struct ra_util_text *text, const struct ra_sum_set *set)
{
	begin(text, "ranges_lost_events", "gauge", NULL, "Events that were lost or are missing.");
	for (size_t i = 0; i < set->source_count; i++) {
		ra_util_text_format(text, "ranges_lost_events{input=\"%zu\"", i);
		put_source(text, &set->sources[i], ',');
		ra_util_text_format(text, "} %llu\n", (unsigned long long) set->sources[i].lost);
	}
	begin(text, "ranges_step_mean_seconds", "gauge", "seconds", "Mean length of steps.");
	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_steps *steps = &set->sources[i].steps;

		if (set->sources[i].is_whole || steps->count == 0) {
			continue;
		}
		ra_util_text_format(text, "ranges_step_mean_seconds{input=\"%zu\"", i);
		put_source(text, &set->sources[i], ',');
		ra_util_text_put_char(text, '}');
		put_seconds(text, (uint64_t) steps->role_ns[RA_ROLE_TOTAL] / steps->count);
	}
	begin(text, "ranges_gpu_busy_ratio", "gauge", "ratio", "Share of time with GPU work.");
	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_source *source = &set->sources[i];

		if (source->device_ns > 0) {
			ra_util_text_format(text, "ranges_gpu_busy_ratio{input=\"%zu\"", i);
			put_source(text, source, ',');
			ra_util_text_format(text, "} %.9f\n",
			                    (double) source->busy_ns / (double) source->device_ns);
		}
	}
}

void ra_sum_metrics_put(struct ra_util_text *text, const struct ra_sum_set *set)
{
	for (size_t family = 0; family < FAMILIES; family++) {
		begin(text, families[family].name, "summary", "seconds", families[family].help);
		for (size_t i = 0; i < set->total_count; i++) {
			if (set->totals[i].row.table == families[family].table) {
				put_total(text, set, families[family].name, &set->totals[i]);
			}
		}
	}
	put_inputs(text, set);
	ra_util_text_format(text, "# EOF\n");
}
