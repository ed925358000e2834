/* SPDX-License-Identifier: MIT */
/* A large write buffer before a file, plain or packed by gzip. Also writes numbers in the formats
 * that our outputs need. */
#include "analyzer/io/outbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/io/gzip.h"
#include "format/codec.h"

#define BUFFER_BYTES (1u << 20)

/* Number of bytes moved at once. */
#define MOVED_BYTES (256u << 10)

void ra_outbuf_init(struct ra_outbuf *out, int fd, bool is_gzip)
{
	*out = (struct ra_outbuf){ .fd = fd, .capacity = BUFFER_BYTES };
	out->bytes = ra_alloc_bytes(out->capacity);
	if (is_gzip) {
		out->gzip = ra_gzip_create(out->capacity);
	}
}

void ra_outbuf_fini(struct ra_outbuf *out)
{
	ra_gzip_destroy(out->gzip);
	free(out->bytes);
	*out = (struct ra_outbuf){ .fd = -1 };
}

static int write_all(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		const ssize_t done = write(fd, bytes, count);

		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done < 0) {
			return errno;
		}
		bytes += done;
		count -= (size_t) done;
	}
	return 0;
}

static void sink(struct ra_outbuf *out, const char *bytes, size_t count)
{
	if (out->sys_errno != 0) {
		return;
	}
	out->flushed_bytes += count;
	if (out->has_crc) {
		out->crc = rlog_codec_crc_add(out->crc, bytes, count);
	}
	if (out->take != NULL) {
		out->take(out->context, bytes, count);
		return;
	}
	if (out->gzip != NULL) {
		size_t packed_count = 0;
		const char *packed = ra_gzip_member(out->gzip, bytes, count, &packed_count);

		if (packed == NULL) {
			out->sys_errno = ENOMEM;
			return;
		}
		bytes = packed;
		count = packed_count;
	}
	out->sys_errno = write_all(out->fd, bytes, count);
}

void ra_outbuf_flush(struct ra_outbuf *out)
{
	if (out->used > 0) {
		sink(out, out->bytes, out->used);
		out->used = 0;
		if (out->tell != NULL) {
			out->tell(out->tell_context, out->flushed_bytes);
		}
	}
}

int ra_outbuf_finish(struct ra_outbuf *out)
{
	/* A gzip file needs a member even if it is empty. */
	if (out->gzip != NULL && out->used == 0 && out->flushed_bytes == 0) {
		sink(out, out->bytes, 0);
	}
	ra_outbuf_flush(out);
	return out->sys_errno;
}

bool ra_outbuf_can_insert(const struct ra_outbuf *out)
{
	struct stat status;
	const int flags = fcntl(out->fd, F_GETFL);

	return out->gzip == NULL && out->take == NULL && !out->has_crc && out->used == 0 &&
	       out->flushed_bytes == 0 && flags != -1 && (flags & O_ACCMODE) == O_RDWR &&
	       (flags & O_APPEND) == 0 && fstat(out->fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       lseek(out->fd, 0, SEEK_CUR) == 0;
}

/* Reads a part of the file that was written before. Return: 0, or an errno. */
static int read_all(int fd, char *bytes, size_t count, off_t at)
{
	while (count > 0) {
		const ssize_t done = pread(fd, bytes, count, at);

		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done <= 0) {
			return done < 0 ? errno : EIO;
		}
		bytes += done;
		at += done;
		count -= (size_t) done;
	}
	return 0;
}

static int write_at(int fd, const char *bytes, size_t count, off_t at)
{
	return lseek(fd, at, SEEK_SET) < 0 ? errno : write_all(fd, bytes, count);
}

void ra_outbuf_insert(struct ra_outbuf *out, const char *bytes, size_t count)
{
	uint64_t left;

	ra_outbuf_flush(out);
	left = out->flushed_bytes;
	while (left > 0 && out->sys_errno == 0) {
		const size_t part = left < MOVED_BYTES ? (size_t) left : MOVED_BYTES;

		left -= part;
		out->sys_errno = read_all(out->fd, out->bytes, part, (off_t) left);
		if (out->sys_errno == 0) {
			out->sys_errno =
				write_at(out->fd, out->bytes, part, (off_t) (left + count));
		}
	}
	if (out->sys_errno == 0) {
		out->sys_errno = write_at(out->fd, bytes, count, 0);
	}
	out->flushed_bytes += count;
	if (out->sys_errno == 0 && lseek(out->fd, (off_t) out->flushed_bytes, SEEK_SET) < 0) {
		out->sys_errno = errno;
	}
}

void ra_outbuf_restart(struct ra_outbuf *out)
{
	out->used = 0;
	out->flushed_bytes = 0;
	if (out->sys_errno == 0 &&
	    (ftruncate(out->fd, 0) != 0 || lseek(out->fd, 0, SEEK_SET) < 0)) {
		out->sys_errno = errno;
	}
}

void ra_outbuf_put(struct ra_outbuf *out, const char *bytes, size_t count)
{
	while (count > 0) {
		size_t part = out->capacity - out->used;

		if (part == 0) {
			ra_outbuf_flush(out);
			part = out->capacity;
		}
		if (part > count) {
			part = count;
		}
		memcpy(out->bytes + out->used, bytes, part);
		out->used += part;
		bytes += part;
		count -= part;
	}
}

void ra_outbuf_put_hex(struct ra_outbuf *out, const char *bytes, size_t count)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < count; i++) {
		const unsigned char byte = (unsigned char) bytes[i];
		const char pair[2] = { digits[byte >> 4], digits[byte & 15] };

		ra_outbuf_put(out, pair, 2);
	}
}

void ra_outbuf_printf(struct ra_outbuf *out, const char *format, ...)
{
	char *place = ra_outbuf_reserve(out, RA_OUTBUF_RESERVE_BYTES);
	va_list list;

	va_start(list, format);
	int count = vsnprintf(place, RA_OUTBUF_RESERVE_BYTES, format, list);

	va_end(list);
	if (count >= (int) RA_OUTBUF_RESERVE_BYTES) {
		count = (int) RA_OUTBUF_RESERVE_BYTES - 1;
	}
	if (count > 0) {
		ra_outbuf_commit(out, place + count);
	}
}

/* The digits of 00 to 99. Numbers are written two digits at a time, which halves the divisions. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* The number of decimal digits. 1233 / 4096 approximates log10(2), and the table corrects the
 * guess. */
static unsigned count_digits(uint64_t value)
{
	static const uint64_t powers[] = {
		0,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000u,
	};
	const unsigned bits = 64u - (unsigned) __builtin_clzll(value | 1);
	const unsigned guess = bits * 1233 >> 12;

	return guess + (value >= powers[guess]);
}

static inline char *put_digits(char *place, uint64_t value)
{
	char *const end = place + count_digits(value);
	char *at = end;

	while (value >= 10000) { /* four digits at a time; the four do not depend on each other */
		const uint64_t rest = value / 10000;
		const size_t four = (size_t) (value % 10000);

		at -= 4;
		memcpy(at, &pairs[four / 100 * 2], 2);
		memcpy(at + 2, &pairs[four % 100 * 2], 2);
		value = rest;
	}
	if (value >= 100) {
		at -= 2;
		memcpy(at, &pairs[value % 100 * 2], 2);
		value /= 100;
	}
	if (value >= 10) {
		memcpy(at - 2, &pairs[value * 2], 2);
	} else {
		at[-1] = (char) ('0' + value);
	}
	return end;
}

char *ra_outbuf_decimal(char *place, uint64_t value)
{
	return put_digits(place, value);
}

char *ra_outbuf_signed(char *place, int64_t value)
{
	uint64_t magnitude = (uint64_t) value;

	if (value < 0) {
		*place++ = '-';
		magnitude = 0 - magnitude;
	}
	return ra_outbuf_decimal(place, magnitude);
}

char *ra_outbuf_micros(char *place, int64_t ns)
{
	uint64_t magnitude = (uint64_t) ns;

	if (ns < 0) {
		*place++ = '-';
		magnitude = 0 - magnitude;
	}
	const uint64_t whole = magnitude / 1000;
	const size_t rest = (size_t) (magnitude - whole * 1000);

	place = put_digits(place, whole);
	place[0] = '.';
	memcpy(place + 1, &pairs[rest / 10 * 2], 2);
	place[3] = (char) ('0' + rest % 10);
	return place + 4;
}

char *ra_outbuf_micros_within(char *place, uint32_t ns)
{
	const size_t whole = ns / 1000;
	const size_t rest = ns % 1000;

	memcpy(place, &pairs[whole / 100 * 2], 2);
	memcpy(place + 2, &pairs[whole % 100 * 2], 2);
	place[4] = '.';
	memcpy(place + 5, &pairs[rest / 10 * 2], 2);
	place[7] = (char) ('0' + rest % 10);
	return place + 8;
}

void ra_outbuf_put_decimal(struct ra_outbuf *out, uint64_t value)
{
	ra_outbuf_commit(out, ra_outbuf_decimal(ra_outbuf_reserve(out, RA_DECIMAL_BYTES), value));
}

void ra_outbuf_put_signed(struct ra_outbuf *out, int64_t value)
{
	ra_outbuf_commit(out, ra_outbuf_signed(ra_outbuf_reserve(out, RA_DECIMAL_BYTES), value));
}
