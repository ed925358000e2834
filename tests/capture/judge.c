/* SPDX-License-Identifier: MIT */
/* The judge: walks each stream of the log in order of ordinals and expects exactly the pusher's
 * calls. */
#include "tests/capture/judge.h"

#include <stdlib.h>
#include <string.h>

#include "format/read/reader.h"
#include "format/wire.h"

struct stream {
	unsigned thread; /* PUSHING_THREADS: not known yet */
	uint64_t next;   /* call expected */
	uint64_t ticks;
};

struct court {
	struct rlog_reader *reader;
	struct judgement *out;
	struct stream streams[PUSHING_THREADS + 1];
	uint64_t found[PUSHING_THREADS];
};

static void accuse(struct judgement *out, const char *what, uint32_t stream, uint64_t at)
{
	if (out->why[0] == '\0') {
		snprintf(out->why, sizeof(out->why), "stream %u, call %llu: %s", stream,
		         (unsigned long long) at, what);
	}
}

static bool has_name(const struct court *court, uint32_t id, const char *name)
{
	size_t count = 0;
	const struct rlog_string *strings = rlog_reader_borrow_strings(court->reader, &count);

	return id < count && strings[id].bytes && strings[id].length == strlen(name) &&
	       memcmp(strings[id].bytes, name, strlen(name)) == 0;
}

static unsigned thread_of(const struct court *court, uint32_t name)
{
	char wanted[64];

	for (unsigned thread = 0; thread < PUSHING_THREADS; thread++) {
		pushing_name(wanted, sizeof(wanted), thread, 0);
		if (has_name(court, name, wanted)) {
			return thread;
		}
	}
	return PUSHING_THREADS;
}

static bool is_expected(const struct court *court, const struct stream *stream,
                        const struct rlog_batch *batch, size_t row)
{
	char wanted[64];

	if (stream->next % 2 == 1) {
		return batch->op[row] == RLOG_OP_POP;
	}
	pushing_name(wanted, sizeof(wanted), stream->thread, stream->next / 2);
	return batch->op[row] == RLOG_OP_PUSH && has_name(court, batch->name[row], wanted);
}

static void hear(struct court *court, struct stream *stream, const struct rlog_batch *batch)
{
	for (size_t row = 0; row < batch->count; row++) {
		if (stream->next == 0) {
			stream->thread = thread_of(court, batch->name[row]);
		}
		if (stream->thread == PUSHING_THREADS || !is_expected(court, stream, batch, row)) {
			court->out->wrong++;
			accuse(court->out, "another event was expected", batch->stream,
			       stream->next);
		}
		if (batch->ticks[row] < stream->ticks) {
			court->out->backwards++;
			accuse(court->out, "its time is before the one before", batch->stream,
			       stream->next);
		}
		stream->ticks = batch->ticks[row];
		stream->next++;
		court->out->events++;
	}
	if (stream->thread < PUSHING_THREADS) {
		court->found[stream->thread] = stream->next;
	}
}

/* The file has the chunks of each stream in the order of their ordinals. */
static bool hear_all(struct court *court)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(court->reader, &count);
	struct rlog_batch batch;
	struct rlog_error err = { 0 };
	bool good = rlog_batch_init(&batch, 16384) == 0;

	for (size_t i = 0; i < count && good; i++) {
		struct stream *stream;

		if (chunks[i].type != RLOG_CHUNK_EVENTS || chunks[i].stream > PUSHING_THREADS) {
			continue;
		}
		stream = &court->streams[chunks[i].stream];
		if (chunks[i].sequence != stream->next) {
			court->out->wrong++;
			accuse(court->out, "its chunk begins at another ordinal", chunks[i].stream,
			       stream->next);
		}
		good = rlog_reader_decode_events(court->reader, &chunks[i], &batch, &err) == 0;
		if (good) {
			hear(court, stream, &batch);
		} else {
			snprintf(court->out->why, sizeof(court->out->why), "%s", err.message);
		}
	}
	rlog_batch_fini(&batch);
	return good;
}

bool judge_log(const char *path, const struct pushing *shared, unsigned threads,
               struct judgement *out)
{
	static struct court court;
	struct rlog_error err = { 0 };
	size_t losses = 0;
	const struct rlog_loss *loss;
	bool good;

	memset(&court, 0, sizeof(court));
	memset(out, 0, sizeof(*out));
	court.out = out;
	if (rlog_reader_open(&court.reader, path, &err) != 0) {
		snprintf(out->why, sizeof(out->why), "%s", err.message);
		return false;
	}
	good = hear_all(&court);
	for (unsigned i = 0; i < threads; i++) {
		const uint64_t calls =
			atomic_load_explicit(&shared->thread[i].calls, memory_order_relaxed);

		out->calls += calls;
		out->missing += calls > court.found[i] ? calls - court.found[i] : 0;
		/* One call may have been recorded without its return being counted. */
		out->excess += court.found[i] > calls + 1 ? court.found[i] - calls - 1 : 0;
	}
	loss = rlog_reader_borrow_losses(court.reader, &losses);
	for (size_t i = 0; i < losses; i++) {
		out->lost += loss[i].count;
	}
	rlog_reader_borrow_damages(court.reader, &losses);
	out->damages = losses;
	out->is_closed = rlog_reader_is_closed(court.reader);
	if (out->events > 0) {
		out->bytes_per_pair =
			(double) rlog_reader_size_bytes(court.reader) * 2 / (double) out->events;
	}
	rlog_reader_close(court.reader);
	return good;
}

bool judge_is_good(const struct judgement *judgement)
{
	return judgement->missing + judgement->excess + judgement->wrong + judgement->backwards +
	                       judgement->lost + judgement->damages ==
	               0 &&
	       judgement->is_closed;
}
