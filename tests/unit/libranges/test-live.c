/* SPDX-License-Identifier: MIT */
/* Tests open start/end ranges, also when the end of a range is seen before its start. */
#include "libranges/spool/live.h"
#include "tests/tap.h"

static void start(struct rcap_live_started *started, uint64_t id)
{
	const struct rcap_open_range range = { .ticks = 10 * id, .id = id };

	rcap_live_start(started, &range);
}

int main(void)
{
	static struct rcap_live_started started;
	struct rcap_open_range range;
	unsigned closed = 0;

	start(&started, 1);
	start(&started, 2);
	tap_ok(rcap_live_end(&started, 1, &range) && range.ticks == 10, "one of two ends");
	tap_ok(!rcap_live_end(&started, 3, &range), "an end without a start closes nothing");
	start(&started, 3);
	tap_ok(started.count == 1 && started.ranges[0].id == 2, "its start does not open it");
	start(&started, 3);
	tap_is_uint(started.count, 2, "but the next one does");
	rcap_live_forget_started(&started);
	for (uint64_t id = 1; id <= RCAP_LIVE_STARTED + 10; id++) {
		start(&started, id);
	}
	tap_ok(started.count == RCAP_LIVE_STARTED && started.more == 10, "many are counted");
	for (uint64_t id = 1; id <= RCAP_LIVE_STARTED + 10; id++) {
		closed += rcap_live_end(&started, id, &range);
	}
	tap_ok(closed == RCAP_LIVE_STARTED && started.count == 0 && started.more == 0,
	       "and all end");
	for (uint64_t id = 1; id <= 1000; id++) {
		(void) rcap_live_end(&started, id, &range);
	}
	start(&started, 2000);
	tap_ok(started.count == 1 && started.early_count == RCAP_LIVE_EARLY,
	       "ends without starts take no more room than there is");
	return tap_done();
}
