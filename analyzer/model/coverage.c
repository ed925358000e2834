/* SPDX-License-Identifier: MIT */
/* Writes the footer's lines about GPU time that belongs to ranges. */
#include "analyzer/model/coverage.h"

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"

static int64_t sum_rules(const struct ra_gpu *gpu, int first)
{
	int64_t sum_ns = 0;

	for (int rule = first; rule < RA_GPU_RULES; rule++) {
		sum_ns = ra_util_add_time(sum_ns, gpu->rule_ns[rule]);
	}
	return sum_ns;
}

/* A share in percent, to a tenth. If the whole is 0, it is 100. */
static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double) part / (double) whole : 100.0;
}

static void put_count(struct ra_util_text *text, const char *prefix, uint64_t count,
                      const char *one, const char *many)
{
	if (count != 0) {
		ra_util_text_format(text, "%sgpu: ", prefix);
		ra_util_text_put_count(text, count);
		ra_util_text_format(text, " %s\n", count == 1 ? one : many);
	}
}

/* Writes the share of graphs that were launched as a whole. Such a graph belongs to one range only.
 * If most of the time is of such graphs, "attributed" alone says little. */
static void put_graph_launches(struct ra_util_text *text, const struct ra_gpu *gpu,
                               int64_t whole_ns)
{
	if (gpu->graph_launch_ns > whole_ns / 2 && gpu->graph_launch_ns <= whole_ns) {
		ra_util_text_format(text, "; %.1f %% to ", share(gpu->graph_launch_ns, whole_ns));
		ra_util_text_put_count(text, gpu->graph_launches);
		ra_util_text_format(text, gpu->graph_launches == 1 ? " graph launch as a whole"
		                                                   : " graph launches as wholes");
	}
}

static const char *const rule_words[] = {
	[RA_KINETO_CAPTURED_NODE] = "by node",
	[RA_KINETO_CAPTURED_NAME] = "by order and name",
	[RA_KINETO_CAPTURED_STREAMS] = "by name, on several streams",
	[RA_KINETO_CAPTURED_ALIGNED] = "by order and name, a few missing",
	[RA_KINETO_CAPTURED_ORDER] = "by order alone, as the capture names no kernels",
};

static const char *const rest_words[] = {
	[RA_KINETO_CAPTURED_UNKNOWN] = "of no given capture",
	[RA_KINETO_CAPTURED_SEVERAL] = "of one of several captures: it is not clear which",
	[RA_KINETO_CAPTURED_UNSURE] = "of an unclear launch: none fits, or several do",
	[RA_KINETO_CAPTURED_OUTSIDE] = "launched in no range",
};

/* Writes how many operations of a trace's graphs were matched with a capture. */
static void put_captured(struct ra_util_text *text, const struct ra_kineto_captured *captured,
                         const char *prefix)
{
	uint64_t found = 0;
	uint64_t all = 0;

	for (int rule = 0; rule < RA_KINETO_CAPTURED_RULES; rule++) {
		found += captured->rule_ops[rule];
	}
	all = found;
	for (int rest = 0; rest < RA_KINETO_CAPTURED_RESTS; rest++) {
		all += captured->rest_ops[rest];
	}
	ra_util_text_format(text, "%sgpu: graphs: ", prefix);
	ra_util_text_put_count(text, found);
	ra_util_text_format(text, " of ");
	ra_util_text_put_count(text, all);
	ra_util_text_format(text, " operations have the range of their capture");
	for (int rule = 0; rule < RA_KINETO_CAPTURED_RULES; rule++) {
		if (captured->rule_ops[rule] > 0) {
			ra_util_text_format(text, "; ");
			ra_util_text_put_count(text, captured->rule_ops[rule]);
			ra_util_text_format(text, " %s", rule_words[rule]);
		}
	}
	ra_util_text_format(text, " (");
	ra_util_text_put_count(text, captured->launches);
	ra_util_text_format(text, " %s, ", captured->launches == 1 ? "launch" : "launches");
	ra_util_text_put_count(text, captured->captures);
	ra_util_text_format(text, " %s)\n", captured->captures == 1 ? "capture" : "captures");
	for (int rest = 0; rest < RA_KINETO_CAPTURED_RESTS; rest++) {
		if (captured->rest_ops[rest] > 0) {
			ra_util_text_format(text, "%sgpu: graphs: ", prefix);
			ra_util_text_put_count(text, captured->rest_ops[rest]);
			ra_util_text_format(text, " %s %s\n",
			                    captured->rest_ops[rest] == 1 ? "operation is"
			                                                  : "operations are",
			                    rest_words[rest]);
		}
	}
}

/* Writes lines about the time of CUDA graphs whose ranges are not known, and how the user can make
 * them known. */
static void put_graphs(struct ra_util_text *text, const struct ra_model *model, int64_t whole_ns,
                       const char *prefix)
{
	const struct ra_gpu *gpu = &model->gpu;
	const bool lacks_captures = ra_model_has(model, RA_HAS_ROWS) &&
	                            model->kineto->takes_captures &&
	                            model->kineto->captured == NULL;
	const struct {
		int64_t time_ns;
		double least; /* percent: a smaller share gets no line */
		const char *what;
	} lines[] = {
		{ gpu->unmade_ns, 1,
		  "whose ranges are not known: they were made while nothing was recorded, or with "
		  "CUPTI before 11.1" },
		{ gpu->whole_ns, 1,
		  "that were recorded as wholes: a greater RANGES_GRAPH_NODES records their "
		  "operations" },
		{ lacks_captures ? gpu->launched_ns : 0, 20,
		  "of which this trace has only the launches: --graph-capture FILE adds their "
		  "layers from a trace of their capture" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].time_ns > 0 && share(lines[i].time_ns, whole_ns) >= lines[i].least) {
			ra_util_text_format(
				text, "%sgpu: %.1f %% of GPU time is of CUDA graphs %s\n", prefix,
				share(lines[i].time_ns, whole_ns), lines[i].what);
		}
	}
}

/* Writes how many operations have no call, and how many of these were launched before the
 * recording. */
static void put_no_call(struct ra_util_text *text, const struct ra_gpu *gpu, const char *prefix)
{
	if (gpu->early == 0 || gpu->lacks_calls) {
		put_count(text, prefix, gpu->lacks_calls ? 0 : gpu->no_call,
		          "operation has no API call in the log",
		          "operations have no API call in the log");
		return;
	}
	put_count(text, prefix, gpu->early, "operation was launched before the recording",
	          "operations were launched before the recording");
	put_count(text, prefix, gpu->no_call - gpu->early,
	          "more operation has no API call in the log",
	          "more operations have no API call in the log");
}

void ra_coverage_put_text(struct ra_util_text *text, const struct ra_model *model,
                          const char *prefix)
{
	const struct ra_gpu *gpu = &model->gpu;
	const int64_t whole_ns = sum_rules(gpu, RA_GPU_RULE_NONE);
	const char *separator = ": ";

	if (gpu->op_count > 0 && gpu->lacks_calls &&
	    gpu->rule_ops[RA_GPU_RULE_NONE] == gpu->op_count) {
		ra_util_text_format(text, "%sgpu: not linked: the recording has no API calls\n",
		                    prefix);
	} else if (gpu->op_count > 0) {
		ra_util_text_format(text, "%sgpu: %.1f %% of GPU time attributed to ranges", prefix,
		                    share(sum_rules(gpu, RA_GPU_RULE_STACK), whole_ns));
		for (int rule = RA_GPU_RULE_STACK; rule < RA_GPU_RULES; rule++) {
			if (gpu->rule_ops[rule] > 0) {
				ra_util_text_format(text, "%s%s %.1f %%", separator,
				                    ra_gpu_rule_name((enum ra_gpu_rule) rule),
				                    share(gpu->rule_ns[rule], whole_ns));
				separator = ", ";
			}
		}
		put_graph_launches(text, gpu, whole_ns);
		ra_util_text_put_char(text, '\n');
	}
	if (gpu->origin_ns > 0) {
		ra_util_text_format(
			text,
			"%sgpu: %.1f %% of GPU time is of CUDA graphs whose nodes were made in "
			"other ranges: --attribute origin gives it to those ranges\n",
			prefix, share(gpu->origin_ns, whole_ns));
	}
	put_graphs(text, model, whole_ns, prefix);
	if (ra_model_has(model, RA_HAS_ROWS) && model->kineto->captured != NULL) {
		put_captured(text, model->kineto->captured, prefix);
	}
	if (gpu->process_ns > 0 && share(gpu->process_ns, whole_ns) >= 1) {
		ra_util_text_format(
			text,
			"%sgpu: %.1f %% of GPU time was launched by threads without ranges while "
			"one other thread, at work itself, had ranges open: "
			"--attribute process gives it to those ranges\n",
			prefix, share(gpu->process_ns, whole_ns));
	}
	put_no_call(text, gpu, prefix);
	put_count(text, prefix, gpu->ambiguous,
	          "operation was launched while several start/end ranges were open: it belongs to "
	          "the last one",
	          "operations were launched while several start/end ranges were open: they belong "
	          "to the last one");
	put_count(text, prefix, gpu->bad_times, "record has no usable times and was left out",
	          "records have no usable times and were left out");
	put_count(text, prefix, gpu->unknown_events,
	          "record is of a kind that this version does not know",
	          "records are of a kind that this version does not know");
}

static void put_captured_json(struct ra_util_text *text, const struct ra_kineto_captured *captured)
{
	static const char *const rules[] = { "node", "name", "streams", "aligned", "order" };
	static const char *const rests[] = { "unknown", "several", "unsure", "outside" };

	ra_util_text_format(
		text,
		",\"graph_capture\":{\"captures\":%llu,\"damaged\":%llu,"
		"\"unread\":%llu,\"launches\":%llu",
		(unsigned long long) captured->captures, (unsigned long long) captured->damaged,
		(unsigned long long) captured->unread, (unsigned long long) captured->launches);
	for (int rule = 0; rule < RA_KINETO_CAPTURED_RULES; rule++) {
		ra_util_text_format(text, "%s\"%s\":%llu", rule == 0 ? ",\"by_rule\":{" : ",",
		                    rules[rule], (unsigned long long) captured->rule_ops[rule]);
	}
	for (int rest = 0; rest < RA_KINETO_CAPTURED_RESTS; rest++) {
		ra_util_text_format(text, "%s\"%s\":%llu", rest == 0 ? "},\"without\":{" : ",",
		                    rests[rest], (unsigned long long) captured->rest_ops[rest]);
	}
	ra_util_text_format(text, "}}");
}

void ra_coverage_put_json(struct ra_util_text *text, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	if (gpu->op_count == 0 && gpu->events == 0) {
		return;
	}
	ra_util_text_format(text,
	                    ",\"gpu\":{\"events\":%llu,\"operations\":%llu,\"time_ns\":%lld,"
	                    "\"attributed_ns\":%lld",
	                    (unsigned long long) gpu->events, (unsigned long long) gpu->op_count,
	                    (long long) sum_rules(gpu, RA_GPU_RULE_NONE),
	                    (long long) sum_rules(gpu, RA_GPU_RULE_STACK));
	for (int rule = RA_GPU_RULE_NONE; rule < RA_GPU_RULES; rule++) {
		ra_util_text_format(text, "%s\"%s\":%lld", rule == 0 ? ",\"by_rule_ns\":{" : ",",
		                    ra_gpu_rule_name((enum ra_gpu_rule) rule),
		                    (long long) gpu->rule_ns[rule]);
	}
	ra_util_text_format(text,
	                    "},\"no_call\":%llu,\"early\":%llu,\"ambiguous\":%llu,"
	                    "\"bad_times\":%llu,\"unknown_events\":%llu",
	                    (unsigned long long) gpu->no_call, (unsigned long long) gpu->early,
	                    (unsigned long long) gpu->ambiguous,
	                    (unsigned long long) gpu->bad_times,
	                    (unsigned long long) gpu->unknown_events);
	if (gpu->launched_ns > 0) {
		ra_util_text_format(text, ",\"graph_launches_ns\":%lld",
		                    (long long) gpu->launched_ns);
	}
	if (ra_model_has(model, RA_HAS_ROWS) && model->kineto->captured != NULL) {
		put_captured_json(text, model->kineto->captured);
	}
	ra_util_text_format(text, "}");
}
