/* SPDX-License-Identifier: MIT */
/* Tests .pftrace files written while they are drawn: extra rows, arrows, order. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/pftrace/pftrace-stream.h"
#include "analyzer/protobuf/protobuf.h"
#include "tests/tap.h"

struct drawing {
	struct ra_pftrace *trace;
	const struct thing *things;
	size_t count;
};

/* A slice, or an arrow if `id` is set: its start if `dur_ns` is 0, else its end. */
struct thing {
	uint32_t tid;
	int64_t start_ns;
	int64_t dur_ns;
	uint64_t id;
	uint32_t ends;
};

static void draw(void *context)
{
	const struct drawing *drawing = context;
	struct ra_pftrace *trace = drawing->trace;

	for (size_t i = 0; i < drawing->count; i++) {
		const struct thing *thing = &drawing->things[i];
		const uint32_t track = ra_pftrace_thread(trace, 1, thing->tid);

		if (thing->id != 0) {
			const struct ra_pftrace_tie tie = { thing->start_ns, thing->id, track,
				                            thing->ends, thing->dur_ns != 0 };

			trace->take_arrow(trace->context, &tie);
			continue;
		}
		struct ra_pftrace_event event = {
			.start_ns = thing->start_ns,
			.dur_ns = thing->dur_ns,
			.args = trace->args.bytes.used,
			.track = track,
			.name = ra_protobuf_texts_put(&trace->names, "name", 4),
		};

		ra_pftrace_add_event(trace, &event);
	}
}

/* ---- what was written ---- */

static void say_event(struct ra_protobuf event, uint64_t time, char *text)
{
	struct ra_protobuf_field field;
	char arrows[256] = "";
	char *end = arrows;
	uint64_t track = 0;
	uint64_t type = 0;

	while (ra_protobuf_next(&event, &field)) {
		if (field.number == 9) {
			type = field.integer;
		} else if (field.number == 11) {
			track = field.integer;
		} else if (field.number == 47 || field.number == 48) {
			end += sprintf(end, " %c%llx", field.number == 47 ? 's' : 'f',
			               (unsigned long long) field.integer);
		}
	}
	sprintf(text + strlen(text), "%llu%s%llu%s\n", (unsigned long long) track,
	        type == 1 ? " at " : " to ", (unsigned long long) time, arrows);
}

/* Adds a line for each event of a block of packets. */
static void say_block(struct ra_protobuf block, char *text)
{
	struct ra_protobuf_field packet;

	while (ra_protobuf_next(&block, &packet)) {
		struct ra_protobuf content = ra_protobuf_enter(&packet);
		struct ra_protobuf event = { 0 };
		struct ra_protobuf_field field;
		uint64_t time = 0;

		while (ra_protobuf_next(&content, &field)) {
			if (field.number == 11) {
				event = ra_protobuf_enter(&field);
			} else if (field.number == 8) {
				time = field.integer;
			}
		}
		if (event.at != NULL) {
			say_event(event, time, text);
		}
	}
}

/* Reads a file that is below 64 KiB also when it is unpacked. */
static void say_file(const char *path, char *text)
{
	static uint8_t bytes[1 << 16];
	static uint8_t plain[1 << 16];
	const int fd = open(path, O_RDONLY);
	const ssize_t count = read(fd, bytes, sizeof(bytes));
	struct ra_protobuf file = ra_protobuf_open(bytes, count < 0 ? 0 : (size_t) count, 0);
	struct ra_protobuf_field packet;
	struct ra_protobuf_field packed;

	text[0] = '\0';
	while (ra_protobuf_next(&file, &packet)) {
		struct ra_protobuf content = ra_protobuf_enter(&packet);
		uLongf got = sizeof(plain);

		if (!ra_protobuf_next(&content, &packed) || packed.number != 50 ||
		    uncompress(plain, &got, packed.bytes, packed.length) != Z_OK) {
			tap_bail("a packet can't be unpacked");
		}
		say_block(ra_protobuf_open(plain, got, 0), text);
	}
	close(fd);
}

/* Writes things to a file. Return: false if that was given up. @can_insert: false: no packets can
 * be inserted later, as in a pipe. */
static bool write_things(const struct thing *things, size_t count, bool can_insert, char *text)
{
	struct ra_pftrace trace = { 0 };
	struct drawing drawing = { &trace, things, count };
	struct ra_pftrace_stream *stream;
	struct ra_outbuf out;
	char path[] = "/tmp/test-pftrace-stream-XXXXXX";
	int fd = mkstemp(path);
	bool is_written;

	if (!can_insert) {
		close(fd);
		fd = open(path, O_WRONLY);
	}
	if (fd < 0) {
		tap_bail("no file");
	}
	ra_outbuf_init(&out, fd, false);
	stream = ra_pftrace_stream_begin(&trace, &out);
	draw(&drawing);
	is_written = ra_pftrace_stream_end(stream, draw, &drawing);
	if (ra_outbuf_finish(&out) != 0) {
		tap_bail("no room");
	}
	ra_outbuf_fini(&out);
	close(fd);
	say_file(path, text);
	unlink(path);
	ra_pftrace_fini(&trace);
	return is_written;
}

/* ---- tests ---- */

static void check(const struct thing *things, size_t count, const char *wanted,
                  const char *sentence)
{
	char text[4096];

	tap_ok(write_things(things, count, true, text) == (wanted != NULL), "%s: it is %s",
	       sentence, wanted != NULL ? "written" : "given up");
	tap_is_text(text, wanted != NULL ? wanted : "", "%s", sentence);
	tap_ok(write_things(things, count, false, text) == (wanted != NULL), "%s, in two drawings",
	       sentence);
	tap_is_text(text, wanted != NULL ? wanted : "", "%s, and the same is written", sentence);
}

#define CHECK(things, wanted, sentence) \
	check(things, sizeof(things) / sizeof((things)[0]), wanted, sentence)

int main(void)
{
	/* Tracks are numbered from 1; the first is the process. */
	static const struct thing turns[] = { { .tid = 7, .start_ns = 10, .dur_ns = 20 },
		                              { .tid = 8, .start_ns = 5, .dur_ns = 9 },
		                              { .tid = 7, .start_ns = 15, .dur_ns = 2 } };
	static const struct thing crossing[] = { { .tid = 7, .start_ns = 10, .dur_ns = 20 },
		                                 { .tid = 7, .start_ns = 15, .dur_ns = 20 },
		                                 { .tid = 7, .start_ns = 18, .dur_ns = 30 },
		                                 { .tid = 7, .start_ns = 40, .dur_ns = 1 } };
	static const struct thing together[] = { { .tid = 7, .start_ns = 10, .dur_ns = 2 },
		                                 { .tid = 7, .start_ns = 10, .dur_ns = 9 } };
	static const struct thing arrows[] = {
		{ .tid = 7, .start_ns = 10, .dur_ns = 9 },
		{ .tid = 7, .start_ns = 10, .id = 0x50, .ends = 2 },
		{ .tid = 7, .start_ns = 10, .dur_ns = 3 }, /* begins last, so the arrow is here */
		{ .tid = 7, .start_ns = 10, .dur_ns = 0 }, /* no time, and drawn after the arrow */
		{ .tid = 8, .start_ns = 11, .dur_ns = 1 },
		{ .tid = 8, .start_ns = 11, .dur_ns = 1, .id = 0x50, .ends = 1 },
		{ .tid = 8, .start_ns = 20, .dur_ns = 1 },
		{ .tid = 8, .start_ns = 20, .dur_ns = 1, .id = 0x50, .ends = 0 },
	};
	static const struct thing backwards[] = { { .tid = 7, .start_ns = 10, .dur_ns = 1 },
		                                  { .tid = 7, .start_ns = 20, .dur_ns = 1 },
		                                  { .tid = 7, .start_ns = 15, .dur_ns = 1 },
		                                  { .tid = 7, .start_ns = 30, .dur_ns = 1 } };
	static const struct thing astray[] = { { .tid = 7, .start_ns = 10, .dur_ns = 5 },
		                               { .tid = 7, .start_ns = 12, .id = 1, .ends = 1 } };

	CHECK(turns, "2 at 10\n2 at 15\n3 at 5\n2 to 17\n2 to 30\n3 to 14\n", "rows come by turns");
	CHECK(crossing, "2 at 10\n3 at 15\n4 at 18\n2 to 30\n2 at 40\n2 to 41\n3 to 35\n4 to 48\n",
	      "what crosses goes on extra rows");
	CHECK(together, "2 at 10\n2 at 10\n2 to 12\n2 to 19\n", "the longest begins first");
	CHECK(arrows,
	      "3 at 11 f400000050\n2 at 10\n2 at 10 s50 s400000050\n2 at 10\n3 to 12\n"
	      "3 at 20 f50\n2 to 10\n2 to 13\n2 to 19\n3 to 21\n",
	      "each end of an arrow has an id that its start has");
	CHECK(backwards, NULL, "a row that goes back in time");
	CHECK(astray, NULL, "an arrow beside events");
	return tap_done();
}
