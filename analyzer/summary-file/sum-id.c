/* SPDX-License-Identifier: MIT */
/* Computes the identity of a file's content. */
#include "analyzer/summary-file/sum-id.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"

#define BLOCK_BYTES 16u
#define READ_BYTES  ((size_t) 1 << 18)

/* Odd numbers without a pattern: the fractions of the golden ratio, √2 and √3. */
static const uint64_t factors[3] = { UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0x6A09E667F3BCC909),
	                             UINT64_C(0xBB67AE8584CAA73B) };

static uint64_t turn(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

/* Adds a block. Each step is reversible, so that no state is lost. Only the last step, at the end
 * of the data, mixes the lanes irreversibly. */
static void add_block(struct ra_sum_id *id, const uint8_t *block)
{
	uint64_t words[2] = { 0, 0 };

	for (unsigned i = 0; i < 8; i++) {
		words[0] |= (uint64_t) block[i] << (8 * i);
		words[1] |= (uint64_t) block[8 + i] << (8 * i);
	}
	id->lanes[0] = turn((id->lanes[0] ^ words[0]) * factors[0], 29) + id->lanes[1];
	id->lanes[1] = turn((id->lanes[1] ^ words[1]) * factors[1], 31) ^ id->lanes[0];
}

void ra_sum_id_init(struct ra_sum_id *id)
{
	memset(id, 0, sizeof(*id));
	id->lanes[0] = factors[1];
	id->lanes[1] = factors[2];
}

void ra_sum_id_add(struct ra_sum_id *id, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	id->total_bytes += count;
	while (count > 0) {
		size_t taken = BLOCK_BYTES - id->rest_bytes;

		if (id->rest_bytes == 0 && count >= BLOCK_BYTES) {
			add_block(id, at);
			at += BLOCK_BYTES;
			count -= BLOCK_BYTES;
			continue;
		}
		taken = taken < count ? taken : count;
		memcpy(id->rest + id->rest_bytes, at, taken);
		id->rest_bytes += taken;
		at += taken;
		count -= taken;
		if (id->rest_bytes == BLOCK_BYTES) {
			add_block(id, id->rest);
			id->rest_bytes = 0;
		}
	}
}

static uint64_t spread(uint64_t word)
{
	for (unsigned i = 0; i < 3; i++) {
		word ^= word >> 32;
		word *= factors[i];
	}
	return word ^ word >> 29;
}

void ra_sum_id_finish(struct ra_sum_id *id, uint8_t out[RA_SUM_ID_BYTES])
{
	memset(id->rest + id->rest_bytes, 0, BLOCK_BYTES - id->rest_bytes);
	add_block(id, id->rest);
	id->lanes[0] ^= id->total_bytes;
	for (unsigned i = 0; i < 2; i++) {
		id->lanes[0] = spread(id->lanes[0] + id->lanes[1]);
		id->lanes[1] = spread(id->lanes[1] ^ id->lanes[0]);
	}
	for (unsigned i = 0; i < RA_SUM_ID_BYTES; i++) {
		out[i] = (uint8_t) (id->lanes[i / 8] >> (8 * (i % 8)));
	}
}

static int add_file(struct ra_sum_id *id, int fd, struct rlog_error *err)
{
	uint8_t *bytes = ra_alloc_bytes(READ_BYTES);
	ssize_t got = 1;

	while (got > 0) {
		got = read(fd, bytes, READ_BYTES);
		if (got > 0) {
			ra_sum_id_add(id, bytes, (size_t) got);
		}
	}
	free(bytes);
	return got == 0 ? 0 : rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
}

int ra_sum_id_file(const char *path, const char *words, uint8_t out[RA_SUM_ID_BYTES],
                   struct rlog_error *err)
{
	/* O_NONBLOCK, because opening a pipe would wait for its writer. A file that is not regular
	 * is refused afterwards. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	struct ra_sum_id id;
	int rc;

	if (fd < 0 || fstat(fd, &status) != 0) {
		rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be opened");
	} else if (!S_ISREG(status.st_mode)) {
		rc = rlog_error_set(err, RLOG_E_NOT_A_FILE, RLOG_NO_OFFSET,
		                    "a summary is made of files only");
	} else {
		ra_sum_id_init(&id);
		ra_sum_id_add(&id, words, strlen(words) + 1);
		rc = add_file(&id, fd, err);
		ra_sum_id_finish(&id, out);
	}
	if (fd >= 0) {
		close(fd);
	}
	return rc;
}
