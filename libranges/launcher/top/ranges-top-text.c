/* SPDX-License-Identifier: MIT */
/* Prints what a program is doing, as text for users. */
#include <string.h>

#include "format/wire.h"
#include "libranges/base/log.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/launcher/top/ranges-top.h"

#define NS_PER_S 1e9

const char *rcap_ranges_top_phase(const struct rcap_ranges_sight *sight)
{
	static const char *const names[] = { "on", "warming up", "off" };
	const uint32_t phase =
		atomic_load_explicit(&sight->peek.header->control.phase, memory_order_relaxed);

	return phase < 3 ? names[phase] : "?";
}

uint32_t rcap_ranges_top_cycle(const struct rcap_ranges_sight *sight)
{
	const struct rcap_control *control = &sight->peek.header->control;
	const uint32_t switches = atomic_load_explicit(&control->switches, memory_order_relaxed);

	return switches > 0 ? rcap_control_at(control, switches - 1)->cycle
	                    : control->first_phase == RCAP_PHASE_ON;
}

void rcap_ranges_top_log(const struct rcap_ranges_sight *sight, char *path, size_t size,
                         uint64_t *bytes)
{
	struct rcap_spool_header *header = sight->peek.header;
	struct rcap_kept *kept = &header->control.kept;
	struct rcap_keep_sum sum;

	if ((kept->window_ns | kept->window_bytes) == 0) {
		rcap_log_format(path, size, "%s", header->log_path);
		*bytes = atomic_load_explicit(&header->log_bytes, memory_order_relaxed);
		return;
	}
	/* There are only pieces so far. The log will be made later. */
	rcap_keep_add(header, 0, &sum);
	*bytes = sum.bytes;
	if (!rcap_drain_name(header, 0, 0, path, size)) {
		path[0] = '\0';
	}
}

const char *rcap_ranges_top_thread(const struct rcap_ranges_sight *sight,
                                   const struct rcap_ranges_thread *thread)
{
	uint32_t name = rcap_ranges_peek_find(&sight->peek, RLOG_DEF_THREAD_NAME, thread->tid);

	if (name == 0) {
		name = rcap_ranges_peek_find(&sight->peek, RLOG_DEF_STREAM, thread->stream);
	}
	return rcap_ranges_peek_name(&sight->peek, name);
}

const char *rcap_ranges_top_domain(const struct rcap_ranges_sight *sight, uint32_t domain)
{
	return domain == 0 ? ""
	                   : rcap_ranges_peek_name(
				     &sight->peek,
				     rcap_ranges_peek_find(&sight->peek, RLOG_DEF_DOMAIN, domain));
}

const char *rcap_ranges_top_order(enum rcap_ranges_order order)
{
	static const char *const names[RCAP_RANGES_ORDERS] = { "share", "calls", "mean",
		                                               "p99",   "max",   "name" };

	return names[order];
}

bool rcap_ranges_top_has_stack(const struct rcap_ranges_thread *thread)
{
	return thread->stream != 0 && !thread->is_gpu && thread->is_placed &&
	       thread->stack.depth > 0;
}

double rcap_ranges_top_seconds(const struct rcap_ranges_sight *sight)
{
	return (double) (sight->now_ns - sight->before_ns) / NS_PER_S;
}

void rcap_ranges_top_duration(char *out, size_t size, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	const double seconds = ns / NS_PER_S;
	unsigned unit = 0;

	if (seconds >= 3600) {
		snprintf(out, size, "%.0f h %02.0f min", (double) (uint64_t) (seconds / 3600),
		         (double) ((uint64_t) (seconds / 60) % 60));
		return;
	}
	if (seconds >= 60) {
		snprintf(out, size, "%.0f min %02.0f s", (double) (uint64_t) (seconds / 60),
		         (double) ((uint64_t) seconds % 60));
		return;
	}
	while (unit < 3 && ns >= 1000) {
		ns /= 1000;
		unit++;
	}
	snprintf(out, size, "%.*f %s",
	         unit == 0  ? 0
	         : ns < 10  ? 2
	         : ns < 100 ? 1
	                    : 0,
	         ns, units[unit]);
}

/* Prints a text that the program chose. Replaces what could control the terminal. */
static void print_text(FILE *out, const char *text)
{
	for (const unsigned char *at = (const unsigned char *) text; *at != '\0'; at++) {
		const bool is_control = *at < ' ' || *at == 0x7F ||
		                        (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0);

		fputc(is_control ? '?' : *at, out);
	}
}

static void print_domain(FILE *out, const struct rcap_ranges_sight *sight, uint32_t domain)
{
	const char *const of = rcap_ranges_top_domain(sight, domain);

	if (of[0] != '\0') {
		fputc('@', out);
		print_text(out, of);
	}
}

static void print_name(FILE *out, const struct rcap_ranges_sight *sight, uint32_t name,
                       uint32_t domain)
{
	print_text(out, name == 0 ? "(no name)" : rcap_ranges_peek_name(&sight->peek, name));
	print_domain(out, sight, domain);
}

/* Prints the name of a sum, such as "layer # × 12" for a sum of 12 names. */
static void print_sum(FILE *out, const struct rcap_ranges_sight *sight,
                      const struct rcap_ranges_sum *sum)
{
	if (!sum->pattern) {
		print_name(out, sight, sum->name, sum->domain);
		return;
	}
	print_text(out, sum->pattern);
	fprintf(out, " × %u", sum->names);
	print_domain(out, sight, sum->domain);
}

static void print_bytes(FILE *out, uint64_t bytes)
{
	if (bytes < 1000000) {
		fprintf(out, "%.1f kB", (double) bytes / 1e3);
	} else {
		fprintf(out, "%.1f MB", (double) bytes / 1e6);
	}
}

static void print_head(FILE *out, const struct rcap_ranges_sight *sight)
{
	const struct rcap_spool_header *header = sight->peek.header;
	const double seconds = rcap_ranges_top_seconds(sight);
	const uint32_t cycle = rcap_ranges_top_cycle(sight);
	const uint64_t seen = sight->seen - sight->seen_before;
	char path[sizeof(header->log_path)];
	uint64_t bytes;

	fprintf(out, "%ld ", (long) header->facts.pid);
	print_text(out, sight->program);
	if (header->facts.rank >= 0) {
		fprintf(out, " rank %ld", (long) header->facts.rank);
	}
	fprintf(out, ": %s", rcap_ranges_top_phase(sight));
	if (rcap_control_is_used(&header->control)) {
		fprintf(out, ", cycle %u", cycle);
	}
	fprintf(out, ", %.0f events/s, %lu lost", seconds > 0 ? (double) seen / seconds : 0,
	        (unsigned long) sight->lost);
	if (sight->steps > 0) {
		fprintf(out, ", step %lu, %.3g steps/s", (unsigned long) sight->steps,
		        seconds > 0 ? (double) (sight->steps - sight->steps_before) / seconds : 0);
	}
	if (sight->kernels > 0) {
		fprintf(out, ", GPU %.0f %%",
		        100 * sight->kernel_ns / rcap_ranges_sight_gpu_ns(sight));
	}
	rcap_ranges_top_log(sight, path, sizeof(path), &bytes);
	if (path[0] != '\0') {
		fprintf(out, ", ");
		print_bytes(out, bytes);
		fprintf(out, ": ");
		print_text(out, path);
	}
	fprintf(out, "\n");
}

static void print_stack(FILE *out, const struct rcap_ranges_sight *sight,
                        const struct rcap_ranges_thread *thread)
{
	struct rcap_live_stack stack = thread->stack;
	uint32_t shown = 0;

	fprintf(out, "  thread %u ", thread->tid);
	print_text(out, rcap_ranges_top_thread(sight, thread));
	fprintf(out, "%s\n", thread->is_known ? "" : " (and unknown ones)");
	if (stack.lowest > 0) {
		fprintf(out, "    (%u more around these)\n", stack.lowest);
	}
	for (uint32_t i = stack.lowest; i < stack.depth; i++) {
		const struct rcap_live_range *range = rcap_live_at(&stack, i);
		char open[64];

		shown++;
		rcap_ranges_top_duration(open, sizeof(open),
		                         rcap_ranges_sight_age_ns(sight, range->ticks));
		fprintf(out, "    %13s  %*s", open,
		        (int) (2 * (shown - 1) < 40 ? 2 * (shown - 1) : 40), "");
		print_name(out, sight, range->name, range->domain);
		fprintf(out, "\n");
	}
}

static bool is_same_name(const struct rcap_open_range *a, const struct rcap_open_range *b)
{
	return a->name == b->name && a->domain == b->domain;
}

/* Prints the oldest range of each name and the number of ranges with that name, because there can
 * be hundreds of ranges, for example requests. Return: number of rows. */
static size_t print_oldest(FILE *out, const struct rcap_ranges_sight *sight, uint32_t index)
{
	const struct rcap_ranges_started *started = sight->started;
	const struct rcap_open_range *range = &started->open[index].range;
	uint32_t count = 0;
	char open[64];

	for (uint32_t i = 0; i < index; i++) {
		if (is_same_name(&started->open[i].range, range)) {
			return 0;
		}
	}
	for (uint32_t i = index; i < started->count; i++) {
		count += is_same_name(&started->open[i].range, range);
	}
	rcap_ranges_top_duration(open, sizeof(open), rcap_ranges_sight_age_ns(sight, range->ticks));
	fprintf(out, "    %13s  ", open);
	print_name(out, sight, range->name, range->domain);
	if (count > 1) {
		fprintf(out, " (the oldest of %u)", count);
	}
	fprintf(out, "\n");
	return 1;
}

/* Prints the open start/end ranges, which any thread may end. */
static void print_started(FILE *out, const struct rcap_ranges_sight *sight, size_t rows)
{
	const struct rcap_ranges_started *started = sight->started;
	size_t shown = 0;
	uint32_t i = 0;

	if (started->count == 0) {
		return;
	}
	fprintf(out, "  start/end ranges, of any thread\n");
	for (; i < started->count && shown < rows; i++) {
		shown += print_oldest(out, sight, i);
	}
	if (started->count - i + started->more > 0) {
		fprintf(out, "    (%u more)\n", started->count - i + started->more);
	}
}

static void print_table(FILE *out, const struct rcap_ranges_sight *sight, bool kernels,
                        const struct rcap_ranges_top_options *options)
{
	static const struct rcap_ranges_sum *sums[RCAP_RANGES_TOP_ROWS * 5];
	const struct rcap_ranges_choice choice = { options->order, options->filter, kernels, true };
	const size_t count =
		rcap_ranges_sight_rank(sight, &choice, sums, sizeof(sums) / sizeof(sums[0]));
	const double seconds = rcap_ranges_top_seconds(sight);
	const double all_ns = kernels ? rcap_ranges_sight_gpu_ns(sight) : seconds * NS_PER_S;

	if (count == 0) {
		return;
	}
	fprintf(out, "  %9s %10s %10s %10s %8s  %s\n", "calls/s", "mean", "p99", "max", "share",
	        kernels ? "kernel" : "range");
	for (size_t i = 0; i < count && i < options->rows; i++) {
		const struct rcap_ranges_sum *sum = sums[i];
		char mean[64] = "-";
		char p99[64] = "-";
		char max[64] = "-";

		if (sum->calls > 0) {
			rcap_ranges_top_duration(mean, sizeof(mean),
			                         sum->total_ns / (double) sum->calls);
			rcap_ranges_top_duration(p99, sizeof(p99), rcap_ranges_sight_p99(sum));
			rcap_ranges_top_duration(max, sizeof(max), sum->max_ns);
		}
		fprintf(out, "  %9.4g %10s %10s %10s %6.1f %%  ",
		        seconds > 0 ? (double) sum->recent / seconds : 0, mean, p99, max,
		        all_ns > 0 ? 100 * sum->recent_ns / all_ns : 0);
		print_sum(out, sight, sum);
		fprintf(out, "\n");
	}
	if (count > options->rows) {
		fprintf(out, "  (%zu more)\n", count - options->rows);
	}
}

void rcap_ranges_top_print(FILE *out, const struct rcap_ranges_sight *sight,
                           const struct rcap_ranges_top_options *options)
{
	const bool is_off = strcmp(rcap_ranges_top_phase(sight), "off") == 0;
	size_t stacks = 0;
	size_t more = 0;
	size_t unknown = 0;

	print_head(out, sight);
	if (is_off) {
		fprintf(out, "  What is open is not known while the capture is off.\n");
		return;
	}
	for (uint32_t i = 0; i < sight->thread_count; i++) {
		unknown += sight->threads[i].is_placed && !sight->threads[i].is_known;
		if (!rcap_ranges_top_has_stack(&sight->threads[i])) {
			continue;
		}
		if (stacks < options->rows) {
			print_stack(out, sight, &sight->threads[i]);
			stacks++;
		} else {
			more++;
		}
	}
	print_started(out, sight, options->rows);
	if (stacks == 0 && sight->started->count == 0) {
		fprintf(out, "  no range is open%s\n", unknown > 0 ? " that is known" : "");
	} else if (more > 0) {
		fprintf(out, "  (%zu more threads)\n", more);
	}
	if (unknown > 0) {
		fprintf(out,
		        "  %zu threads may have more ranges open, from before the capture was on, "
		        "or lost events\n",
		        unknown);
	}
	print_table(out, sight, false, options);
	print_table(out, sight, true, options);
	if (rcap_ranges_sight_not_seen(sight) > 0) {
		fprintf(out, "  %lu events were written before top could count them\n",
		        (unsigned long) rcap_ranges_sight_not_seen(sight));
	}
}
