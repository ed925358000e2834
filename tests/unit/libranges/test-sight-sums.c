/* SPDX-License-Identifier: MIT */
/* Tests the sums of `ranges top`: 99 of 100 calls do not exceed the p99. */
#include <stdlib.h>
#include <string.h>

#include "libranges/launcher/top/ranges-sight.h"
#include "tests/tap.h"

/* Names have no part in it. */
const char *rcap_ranges_peek_name(const struct rcap_ranges_peek *peek, uint32_t id)
{
	(void) peek;
	(void) id;
	return "";
}

int main(void)
{
	static struct rcap_ranges_sight sight;
	const struct rcap_ranges_sum *sum;
	unsigned wrong = 0;

	for (uint32_t i = 1; i < 400; i++) {
		const double ns = (double) i * i * i * 7.3;

		for (unsigned calls = 0; calls < 300; calls++) {
			rcap_ranges_sight_add(&sight, i, 0, false, ns);
		}
		sum = rcap_ranges_sight_sum(&sight, i, 0, false);
		wrong += rcap_ranges_sight_p99(sum) < ns || rcap_ranges_sight_p99(sum) > ns;
	}
	tap_is_uint(wrong, 0, "of calls of one length it is that length");
	for (unsigned calls = 0; calls < 1000; calls++) {
		rcap_ranges_sight_add(&sight, 1000, 0, false, calls < 5 ? 1e9 : 1000 + calls % 10);
	}
	sum = rcap_ranges_sight_sum(&sight, 1000, 0, false);
	tap_ok(rcap_ranges_sight_p99(sum) >= 1009 && rcap_ranges_sight_p99(sum) <= 1009 * 1.13,
	       "five of a thousand that are long do not count");
	rcap_ranges_sight_free_sums(&sight);
	return tap_done();
}
