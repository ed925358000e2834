/* SPDX-License-Identifier: MIT */
/* Tests that the writer remembers how far it is in each stream, however many streams there are and
 * whatever their numbers are. */
#include "format/write/streams.h"
#include "tests/tap.h"

static void test_steps(uint32_t first, uint32_t step, const char *what)
{
	const uint32_t count = 50000;
	struct rlog_streams streams = { 0 };
	uint32_t wrong = 0;

	for (uint32_t i = 0; i < count; i++) {
		wrong += rlog_streams_has(&streams, first + i * step);
		if (rlog_streams_reserve(&streams)) {
			tap_bail("no memory");
		}
		rlog_streams_set(&streams, first + i * step, i + UINT64_C(1));
	}
	for (uint32_t i = 0; i < count; i++) {
		wrong += rlog_streams_get(&streams, first + i * step) != i + UINT64_C(1);
	}
	wrong += streams.count != count;
	rlog_streams_set(&streams, first, 77);
	wrong += rlog_streams_get(&streams, first) != 77 || streams.count != count;
	tap_is_uint(wrong, 0, "50000 streams %s are told apart", what);
	rlog_streams_fini(&streams);
}

int main(void)
{
	const struct rlog_streams none = { 0 };

	tap_ok(!rlog_streams_has(&none, 1) && rlog_streams_get(&none, 1) == 0,
	       "an empty table knows no stream");
	test_steps(1, 1, "in a row");
	test_steps(1, 65536 + 1, "far apart");
	test_steps(UINT32_MAX, UINT32_MAX, "from the top down");
	return tap_done();
}
