/* SPDX-License-Identifier: MIT */
/* Prints what programs are doing, as JSON. */
#include <string.h>

#include "libranges/launcher/top/ranges-top.h"

#define NS_PER_S 1e9

/* Returns the number of bytes of the UTF-8 character at `at`; 0 if it is invalid. */
static size_t measure_character(const unsigned char *at)
{
	const size_t bytes = at[0] < 0x80   ? 1
	                     : at[0] < 0xC2 ? 0
	                     : at[0] < 0xE0 ? 2
	                     : at[0] < 0xF0 ? 3
	                     : at[0] < 0xF5 ? 4
	                                    : 0;

	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	/* Refuses overlong forms, surrogates, and what is beyond the last character. */
	if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
	    (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F)) {
		return 0;
	}
	return bytes;
}

static void put_text(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *) text;

	fputc('"', out);
	while (*at != '\0') {
		const size_t bytes = measure_character(at);

		if (bytes == 0) {
			fputs("\\ufffd", out);
		} else if (*at == '"' || *at == '\\') {
			fprintf(out, "\\%c", *at);
		} else if (*at < ' ' || *at == 0x7F) {
			fprintf(out, "\\u%04x", *at);
		} else {
			fwrite(at, 1, bytes, out);
		}
		at += bytes == 0 ? 1 : bytes;
	}
	fputc('"', out);
}

static void put_name(FILE *out, const struct rcap_ranges_sight *sight, uint32_t name,
                     uint32_t domain)
{
	fputs("\"name\":", out);
	put_text(out, rcap_ranges_peek_name(&sight->peek, name));
	fputs(",\"domain\":", out);
	put_text(out, rcap_ranges_top_domain(sight, domain));
}

static void put_thread(FILE *out, const struct rcap_ranges_sight *sight,
                       const struct rcap_ranges_thread *thread)
{
	struct rcap_live_stack stack = thread->stack;
	const char *comma = "";

	fprintf(out, "{\"tid\":%u,\"name\":", thread->tid);
	put_text(out, rcap_ranges_top_thread(sight, thread));
	fprintf(out, ",\"complete\":%s,\"open\":[", thread->is_known ? "true" : "false");
	for (uint32_t i = stack.lowest; i < stack.depth; i++) {
		const struct rcap_live_range *range = rcap_live_at(&stack, i);

		fprintf(out, "%s{", comma);
		put_name(out, sight, range->name, range->domain);
		fprintf(out, ",\"open_ns\":%.0f}", rcap_ranges_sight_age_ns(sight, range->ticks));
		comma = ",";
	}
	fprintf(out, "],\"outer_not_shown\":%u}", stack.lowest);
}

static void put_table(FILE *out, const struct rcap_ranges_sight *sight, bool kernels,
                      const struct rcap_ranges_top_options *options)
{
	static const struct rcap_ranges_sum *sums[RCAP_RANGES_TOP_ROWS * 5];
	const struct rcap_ranges_choice choice = { options->order, options->filter, kernels,
		                                   false };
	const size_t count =
		rcap_ranges_sight_rank(sight, &choice, sums, sizeof(sums) / sizeof(sums[0]));
	const double seconds = rcap_ranges_top_seconds(sight);
	const double all_ns = kernels ? rcap_ranges_sight_gpu_ns(sight) : seconds * NS_PER_S;

	fprintf(out, ",\"%s\":[", kernels ? "kernels" : "ranges");
	for (size_t i = 0; i < count && i < options->rows; i++) {
		const struct rcap_ranges_sum *sum = sums[i];

		fputs(i > 0 ? ",{" : "{", out);
		put_name(out, sight, sum->name, sum->domain);
		fprintf(out, ",\"calls\":%lu,\"calls_per_s\":%.6g,\"share\":%.6g",
		        (unsigned long) sum->recent,
		        seconds > 0 ? (double) sum->recent / seconds : 0,
		        all_ns > 0 ? sum->recent_ns / all_ns : 0);
		if (sum->calls > 0) {
			fprintf(out, ",\"mean_ns\":%.0f,\"p99_ns\":%.0f,\"max_ns\":%.0f",
			        sum->total_ns / (double) sum->calls, rcap_ranges_sight_p99(sum),
			        sum->max_ns);
		}
		fputs("}", out);
	}
	fputs("]", out);
}

static void put_process(FILE *out, const struct rcap_ranges_sight *sight,
                        const struct rcap_ranges_top_options *options)
{
	const struct rcap_spool_header *header = sight->peek.header;
	const double seconds = rcap_ranges_top_seconds(sight);
	const bool is_off = strcmp(rcap_ranges_top_phase(sight), "off") == 0;
	const char *comma = "";
	char path[sizeof(header->log_path)];
	uint64_t bytes;

	fprintf(out, "{\"pid\":%ld,\"program\":", (long) header->facts.pid);
	put_text(out, sight->program);
	if (header->facts.rank >= 0) {
		fprintf(out, ",\"rank\":%ld", (long) header->facts.rank);
	}
	fprintf(out, ",\"state\":\"%s\",\"cycle\":%u,\"seconds\":%.6g,\"events_per_s\":%.6g",
	        rcap_ranges_top_phase(sight), rcap_ranges_top_cycle(sight), seconds,
	        seconds > 0 ? (double) (sight->seen - sight->seen_before) / seconds : 0);
	fprintf(out, ",\"events_written\":%lu,\"lost\":%lu,\"not_seen\":%lu",
	        (unsigned long) (atomic_load_explicit(&header->events, memory_order_relaxed) +
	                         header->control.events_before),
	        (unsigned long) sight->lost, (unsigned long) rcap_ranges_sight_not_seen(sight));
	fprintf(out, ",\"steps\":%lu,\"steps_per_s\":%.6g", (unsigned long) sight->steps,
	        seconds > 0 ? (double) (sight->steps - sight->steps_before) / seconds : 0);
	if (sight->kernels > 0) {
		fprintf(out, ",\"gpu_share\":%.6g",
		        sight->kernel_ns / rcap_ranges_sight_gpu_ns(sight));
	}
	fputs(",\"log\":", out);
	rcap_ranges_top_log(sight, path, sizeof(path), &bytes);
	put_text(out, path);
	fprintf(out, ",\"log_bytes\":%lu,\"threads\":[", (unsigned long) bytes);
	for (uint32_t i = 0; i < sight->thread_count && !is_off; i++) {
		if (rcap_ranges_top_has_stack(&sight->threads[i])) {
			fputs(comma, out);
			put_thread(out, sight, &sight->threads[i]);
			comma = ",";
		}
	}
	fputs("],\"started\":[", out);
	for (uint32_t i = 0; i < sight->started->count && !is_off; i++) {
		const struct rcap_open_range *range = &sight->started->open[i].range;

		fputs(i > 0 ? ",{" : "{", out);
		put_name(out, sight, range->name, range->domain);
		fprintf(out, ",\"open_ns\":%.0f}", rcap_ranges_sight_age_ns(sight, range->ticks));
	}
	fprintf(out, "],\"started_more\":%u", is_off ? 0 : sight->started->more);
	put_table(out, sight, false, options);
	put_table(out, sight, true, options);
	fputs("}", out);
}

void rcap_ranges_top_json(FILE *out, const struct rcap_ranges_sight *const *sights, size_t count,
                          const struct rcap_ranges_top_options *options)
{
	fputs("{\"processes\":[", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i > 0 ? "," : "", out);
		put_process(out, sights[i], options);
	}
	fputs("]}\n", out);
}
