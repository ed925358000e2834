/* SPDX-License-Identifier: MIT */
/* Tests that CUPTI gets a buffer whenever it asks for one, and no buffer twice. */
#include <string.h>

#include "libranges/cupti/records/cupti-buffers.h"
#include "tests/tap.h"

#define LIMIT ((uint64_t) 2 * 1024 * 1024)
#define TAKEN 300u /* more than the limit allows, and all that is kept for emergencies */

static bool is_zero(const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] != 0) {
			return false;
		}
	}
	return true;
}

/* Takes them all, fills each with a number of its own, and looks whether another did so too. */
static void test_taking(const char *what)
{
	uint8_t *taken[TAKEN];
	size_t regular = 0;
	bool are_zero = true;
	bool are_own = true;

	for (size_t i = 0; i < TAKEN; i++) {
		const struct rcap_cupti_buffer *buffer;

		taken[i] = rcap_cupti_buffers_take();
		buffer = rcap_cupti_buffers_find(taken[i]);
		regular += !buffer->is_emergency;
		are_zero = are_zero && is_zero(taken[i], buffer->bytes);
		memset(taken[i], (int) (1 + i % 255), buffer->bytes);
		memcpy(taken[i], &i, sizeof(i));
	}
	for (size_t i = 0; i < TAKEN; i++) {
		const size_t bytes = rcap_cupti_buffers_find(taken[i])->bytes;

		are_own = are_own && memcmp(taken[i], &i, sizeof(i)) == 0 &&
		          taken[i][sizeof(i)] == 1 + i % 255 && taken[i][bytes - 1] == 1 + i % 255;
		rcap_cupti_buffers_give(rcap_cupti_buffers_find(taken[i]));
	}
	tap_ok(are_zero, "%s: %u buffers at once, all of them zero", what, TAKEN);
	tap_ok(are_own, "%s: none of them is another's", what);
	tap_ok(regular == LIMIT / rcap_cupti_buffers_size(), "%s: as many as the limit says", what);
}

int main(void)
{
	rcap_cupti_buffers_init(LIMIT);
	test_taking("fresh");
	test_taking("given back");
	return tap_done();
}
