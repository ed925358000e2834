/* SPDX-License-Identifier: MIT */
/* Tests that the key of the log in a trace in JSON is found, wherever the text is cut into
 * pieces. */
#include <stdio.h>
#include <string.h>

#include "analyzer/read-json/json-log.h"
#include "format/codec.h"
#include "tests/tap.h"

/* The text before the key ends with pieces that look like the key and are not. */
static const char before[] =
	"{\"schemaVersion\":1,\"a\":[\n\"libranges\":[1],\n\"lib\n\n\"libranges";
static const char key[] = "\n\"libranges\":{";
static const char behind[] = "\"log\":[]}}";

/* Whether the key is found at its end, not earlier, with the checksum of what stands before it. */
static bool finds(const char *text, size_t first, size_t second)
{
	const size_t ends[4] = { 0, first, second, strlen(text) };
	const size_t end_of_key = strlen(before) + strlen(key);
	struct ra_json_log_watch watch = { 0 };

	for (int i = 1; i < 4; i++) {
		ra_json_log_watch(&watch, text + ends[i - 1], ends[i] - ends[i - 1]);
		if (watch.is_found != (ends[i] >= end_of_key)) {
			return false;
		}
	}
	return watch.crc == rlog_codec_crc_add(0, before, strlen(before));
}

int main(void)
{
	char text[sizeof(before) + sizeof(key) + sizeof(behind)];
	struct ra_json_log_watch other = { 0 };
	const size_t head = strlen("{\"schemaVersion\":1,");
	unsigned tried = 0;
	unsigned missed = 0;

	snprintf(text, sizeof(text), "%s%s%s", before, key, behind);
	for (size_t first = head; first <= strlen(text); first++) {
		for (size_t second = first; second <= strlen(text); second++) {
			missed += !finds(text, first, second);
			tried++;
		}
	}
	tap_is_uint(missed, 0, "in three pieces, cut anywhere behind the first key");
	tap_ok(tried > 1000, "... in each way");
	text[2] = 'S';
	ra_json_log_watch(&other, text, strlen(text));
	tap_ok(!other.is_found, "not in a text that another program began");
	return tap_done();
}
