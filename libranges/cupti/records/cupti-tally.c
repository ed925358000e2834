/* SPDX-License-Identifier: MIT */
/* Counts oddities of CUPTI's records, and reports them at the end. */
#include "libranges/cupti/records/cupti-tally.h"

#include <stdatomic.h>

#include "libranges/abi/cupti-abi.h"
#include "libranges/cupti/load/cupti-status.h"

/* The highest kind in the headers of CUDA 13.0, the newest that we know. */
#define LAST_KIND 55u

/* The counts. All are relaxed, because they are statistics. */
static struct {
	_Atomic uint64_t counts[RCAP_CUPTI_TALLY_SIZE];
	_Atomic uint32_t kinds[RCAP_CUPTI_TALLY_SIZE]; /* kind of the first record that was
	                                                * counted */
} tally;

void rcap_cupti_tally_add(enum rcap_cupti_tally what)
{
	atomic_fetch_add_explicit(&tally.counts[what], 1, memory_order_relaxed);
}

void rcap_cupti_tally_add_kind(enum rcap_cupti_tally what, uint32_t kind)
{
	if (atomic_fetch_add_explicit(&tally.counts[what], 1, memory_order_relaxed) == 0) {
		atomic_store_explicit(&tally.kinds[what], kind, memory_order_relaxed);
	}
}

static unsigned long long get(enum rcap_cupti_tally what)
{
	return atomic_load_explicit(&tally.counts[what], memory_order_relaxed);
}

/* Writes a line if the count is not 0. */
static void tell(enum rcap_cupti_tally what, const char *text)
{
	if (get(what) > 0) {
		rcap_cupti_status_add(0, "%s: %llu", text, get(what));
	}
}

static void tell_kind(enum rcap_cupti_tally what, const char *text)
{
	if (get(what) > 0) {
		const uint32_t kind =
			atomic_load_explicit(&tally.kinds[what], memory_order_relaxed);

		rcap_cupti_status_add(0, "%s: %llu, the first of kind %u%s", text, get(what), kind,
		                      kind > LAST_KIND && kind < RCAP_CUPTI_KINDS
		                              ? " (newer than CUDA 13.0, as are host functions "
		                                "and host nodes of graphs)"
		                              : "");
	}
}

void rcap_cupti_tally_tell(bool is_monotonic)
{
	const unsigned long long kernels = get(RCAP_CUPTI_TALLY_KERNELS);
	const unsigned long long timeless = get(RCAP_CUPTI_TALLY_TIMELESS);
	const unsigned long long unfinished = get(RCAP_CUPTI_TALLY_UNFINISHED);

	if (unfinished > 0) {
		rcap_cupti_status_add(
			0,
			"GPU operations that had not ended when the program did are not in "
			"the log: %llu",
			unfinished);
	}
	if (kernels > 0 && timeless * 1000 / kernels > 10) {
		rcap_cupti_status_add(
			0, "%llu of %llu kernels had no time and are not in the log%s", timeless,
			kernels,
			is_monotonic ? ": CUPTI 12.6 to 13.0 may do that with libranges' clock; "
				       "RANGES_CUDA=cupti-clock avoids it"
				     : "");
	}
	tell(RCAP_CUPTI_TALLY_OTHER_CLOCK,
	     "GPU operations with times of another clock are not in the log");
	tell(RCAP_CUPTI_TALLY_NAMELESS, "names from CUPTI that can't be read are not in the log");
	tell_kind(RCAP_CUPTI_TALLY_UNKNOWN,
	          "records of CUPTI that this version does not know are not in the log");
	tell_kind(RCAP_CUPTI_TALLY_UNREADABLE, "buffers of CUPTI with records that can't be read");
	tell(RCAP_CUPTI_TALLY_FOREIGN, "buffers from CUPTI that are not libranges'; another "
	                               "profiler may use CUPTI in this process");
}
