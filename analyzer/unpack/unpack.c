/* SPDX-License-Identifier: MIT */
/* Unpacks in a thread. Lists the compressions. */
#include "analyzer/unpack/unpack.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/unpack/unpack-kinds.h"

#define IN_BYTES   ((size_t) 1 << 16) /* must be at least the size of a source's head */
#define OUT_BYTES  ((size_t) 1 << 17)
#define HEAD_BYTES 8u /* enough for the probe of each kind */

/* xz makes traces 20 to 60 times smaller. Data with a higher ratio than this were made to fill
 * memory. */
#define MAX_RATIO        1000
#define SUSPICIOUS_BYTES (UINT64_C(64) << 20)

struct ra_unpack {
	const struct ra_unpack_kind *kind;
	void *state; /* owned; made by the kind's create() */
	pthread_t thread;
	int from;     /* owned: fd from which packed bytes are read */
	int to;       /* owned: the thread's end of the socket */
	uint8_t *in;  /* owned; packed bytes; at first those of the head */
	uint8_t *out; /* owned; unpacked bytes */
	size_t in_count;
	uint64_t taken;    /* packed bytes that the kind has taken so far */
	uint64_t unpacked; /* bytes written to the socket */
	/* The thread writes these before it ends. Other threads read them after they have joined
	 * it. */
	int rc;
	struct rlog_error error;
};

static const struct ra_unpack_kind *const kinds[] = { &ra_unpack_zstd,  &ra_unpack_xz,
	                                              &ra_unpack_bzip2, &ra_unpack_zip,
	                                              &ra_unpack_gzip,  &ra_unpack_lz4,
	                                              &ra_unpack_7z };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct ra_unpack_kind *ra_unpack_find(const void *head, size_t count)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (kinds[i]->probe(head, count)) {
			return kinds[i];
		}
	}
	return NULL;
}

size_t ra_unpack_suffix(const char *name, size_t length)
{
	for (size_t i = 0; i < KINDS; i++) {
		const size_t size = strlen(kinds[i]->suffix);

		if (length > size && memcmp(name + length - size, kinds[i]->suffix, size) == 0) {
			return size;
		}
	}
	return 0;
}

/* Sends bytes to the reader. Return: false if the reader has stopped reading, which is no error. */
static bool send_all(struct ra_unpack *unpack, const uint8_t *bytes, size_t count)
{
	while (count > 0) {
		const ssize_t sent = send(unpack->to, bytes, count, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR) {
			return false;
		}
		bytes += sent > 0 ? sent : 0;
		count -= sent > 0 ? (size_t) sent : 0;
	}
	return true;
}

/* Reads more packed bytes, and puts them after those that are left. Return: false at the end, or if
 * reading failed; then rc is set. */
static bool fill(struct ra_unpack *unpack, struct ra_unpack_step *step)
{
	ssize_t got;

	memmove(unpack->in, step->in, step->in_count);
	step->in = unpack->in;
	do {
		got = read(unpack->from, unpack->in + step->in_count, IN_BYTES - step->in_count);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_SYSTEM, unpack->taken, "read");
	}
	step->in_count += got > 0 ? (size_t) got : 0;
	return got > 0;
}

/* Calls the kind's step() once, and sends the unpacked bytes to the reader. Return: false: the
 * reader needs no more, or rc is set. */
static bool advance(struct ra_unpack *unpack, struct ra_unpack_step *step,
                    enum ra_unpack_state *state)
{
	const size_t before = step->in_count;
	const char *why = "";
	size_t count;

	step->out = unpack->out;
	step->out_room = OUT_BYTES;
	*state = unpack->kind->step(unpack->state, step, &why);
	count = OUT_BYTES - step->out_room;
	unpack->taken += before - step->in_count;
	unpack->unpacked += count;
	if (*state == RA_UNPACK_DAMAGED) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_INFLATE, unpack->taken,
		                            "damaged %s data: %s", unpack->kind->name, why);
	} else if (*state == RA_UNPACK_REFUSED) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_INFLATE, unpack->taken,
		                            "a %s that can't be read: %s", unpack->kind->name, why);
	} else if (unpack->unpacked > SUSPICIOUS_BYTES &&
	           unpack->unpacked / MAX_RATIO > unpack->taken) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_INFLATE, unpack->taken,
		                            "the %s data unpack to over %d times their size, more "
		                            "than any trace: the rest is not read",
		                            unpack->kind->name, MAX_RATIO);
	}
	return send_all(unpack, unpack->out, count) && unpack->rc == 0;
}

/* Notes whether other data follow the packed data. Zeros are padding. */
static void note_rest(struct ra_unpack *unpack, const struct ra_unpack_step *step)
{
	size_t zeros = 0;

	while (zeros < step->in_count && step->in[zeros] == 0) {
		zeros++;
	}
	if (!unpack->kind->has_tail && zeros < step->in_count) {
		unpack->rc =
			rlog_error_set(&unpack->error, RLOG_E_INFLATE, unpack->taken,
		                       "something else follows the %s data", unpack->kind->name);
	}
}

/* Begins to unpack packed data that follow the end, which `cat a.zst b.zst` makes. Any other data
 * end the reading. */
static bool begin_next(struct ra_unpack *unpack, struct ra_unpack_step *step)
{
	const struct ra_unpack_kind *kind = unpack->kind;

	while (step->in_count < HEAD_BYTES && fill(unpack, step)) {
	}
	if (unpack->rc != 0) {
		return false;
	}
	if (!(kind->probe_next != NULL ? kind->probe_next : kind->probe)(step->in,
	                                                                 step->in_count)) {
		note_rest(unpack, step);
		return false;
	}
	if (kind->reset == NULL) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_INFLATE, unpack->taken,
		                            "the %s has several files, of which the first is read",
		                            kind->name);
		return false;
	}
	return kind->reset(unpack->state);
}

static void end_early(struct ra_unpack *unpack)
{
	if (unpack->rc == 0) {
		unpack->rc = rlog_error_set(&unpack->error, RLOG_E_TRUNCATED, unpack->taken,
		                            "the %s data end too early", unpack->kind->name);
	}
}

static void *run(void *context)
{
	struct ra_unpack *unpack = context;
	struct ra_unpack_step step = { unpack->in, unpack->in_count, NULL, 0 };
	enum ra_unpack_state state = RA_UNPACK_MORE;
	bool goes_on = true;

	while (goes_on) {
		goes_on = advance(unpack, &step, &state);
		if (goes_on && state == RA_UNPACK_END) {
			goes_on = begin_next(unpack, &step);
		} else if (goes_on && step.out_room > 0 && step.in_count == 0 &&
		           !fill(unpack, &step)) {
			end_early(unpack);
			goes_on = false;
		}
	}
	close(unpack->to);
	unpack->to = -1;
	return NULL;
}

static void destroy(struct ra_unpack *unpack)
{
	if (unpack->state != NULL) {
		unpack->kind->destroy(unpack->state);
	}
	close(unpack->from);
	if (unpack->to >= 0) {
		close(unpack->to);
	}
	free(unpack->in);
	free(unpack->out);
	free(unpack);
}

static int refuse(const struct ra_unpack_kind *kind, const char *why, struct rlog_error *err)
{
	return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0,
	                      "%s data, which this analyzer can't unpack (%s); try `%s FILE | "
	                      "analyzer ... -`",
	                      kind->name, why, kind->command);
}

/* Makes the socket and starts the thread. Return: 0, -RLOG_E_SYSTEM. */
static int start_thread(struct ra_unpack *unpack, int *out_fd, struct rlog_error *err)
{
	int ends[2];
	int code;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot unpack");
	}
	unpack->to = ends[1];
	code = pthread_create(&unpack->thread, NULL, run, unpack);
	if (code != 0) {
		close(ends[0]);
		errno = code;
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot unpack");
	}
	*out_fd = ends[0];
	return 0;
}

int ra_unpack_start(struct ra_unpack **out, const struct ra_unpack_kind *kind,
                    const struct ra_unpack_source *source, int *out_fd, struct rlog_error *err)
{
	struct ra_unpack *unpack = ra_alloc_zeros(1, sizeof(*unpack));
	const char *why = "";
	int rc;

	unpack->kind = kind;
	unpack->from = source->fd;
	unpack->to = -1;
	unpack->state = kind->create(&why);
	if (unpack->state == NULL) {
		destroy(unpack);
		return refuse(kind, why, err);
	}
	unpack->in = ra_alloc_bytes(IN_BYTES > source->count ? IN_BYTES : source->count);
	unpack->out = ra_alloc_bytes(OUT_BYTES);
	memcpy(unpack->in, source->head, source->count);
	unpack->in_count = source->count;
	rc = start_thread(unpack, out_fd, err);
	if (rc != 0) {
		destroy(unpack);
		return rc;
	}
	*out = unpack;
	return 0;
}

int ra_unpack_finish(struct ra_unpack *unpack, struct rlog_error *err)
{
	int rc;

	pthread_join(unpack->thread, NULL);
	rc = unpack->rc;
	if (rc != 0 && err != NULL) {
		*err = unpack->error;
	}
	destroy(unpack);
	return rc;
}
