/* SPDX-License-Identifier: MIT */
/* A large write buffer before a file, plain or packed by gzip. Also writes numbers in the formats
 * that our outputs need. */
#ifndef RA_OUTBUF_H
#define RA_OUTBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The most bytes that can be reserved at once; longer texts are written with ra_outbuf_put(). */
#define RA_OUTBUF_RESERVE_BYTES 4096u

struct ra_gzip;

/*
 * A write does not report an error when it is called: the first error is kept, and
 * ra_outbuf_finish() returns it. Writes after an error are dropped, so code that formats text need
 * not check.
 */
struct ra_outbuf {
	char *bytes; /* owned */
	size_t used;
	size_t capacity;
	uint64_t flushed_bytes; /* bytes given to the file or to take(), before compression */
	int fd;                 /* borrowed: the caller's fd */
	int sys_errno;          /* errno of the first failure; 0: none */
	struct ra_gzip *gzip;   /* owned; NULL: the output is plain */
	bool has_crc; /* computes the CRC of the output; set this before anything is written */
	uint32_t crc; /* CRC of the first flushed_bytes bytes */
	/* Gets the bytes instead of the file; NULL: the file gets them. */
	void (*take)(void *context, const char *bytes, size_t count);
	void *context; /* borrowed */
	/* Called at each flush with the total of flushed bytes; NULL: not called. */
	void (*tell)(void *context, uint64_t flushed_bytes);
	void *tell_context; /* borrowed */
};

/*
 * Makes an empty buffer before a file.
 *
 * @fd: open for writing; the caller closes it.
 * @is_gzip: pack the output into gzip members (RFC 1952), one per buffer of 1 MiB; they unpack to
 * one text.
 */
void ra_outbuf_init(struct ra_outbuf *out, int fd, bool is_gzip);

/* Writes out what is left. Return: 0, or the errno of the first failure since init. */
int ra_outbuf_finish(struct ra_outbuf *out);

/* Frees the memory without writing. */
void ra_outbuf_fini(struct ra_outbuf *out);

/* Writes the buffer to the file and empties it. */
void ra_outbuf_flush(struct ra_outbuf *out);

/* True if ra_outbuf_insert will work: nothing is written yet, and the file can be read and changed
 * anywhere. */
bool ra_outbuf_can_insert(const struct ra_outbuf *out);

/* Inserts bytes at the start of the file; what was written there is moved behind them. */
void ra_outbuf_insert(struct ra_outbuf *out, const char *bytes, size_t count);

/* Makes the output empty again. Allowed if ra_outbuf_can_insert() was true when nothing was
 * written. */
void ra_outbuf_restart(struct ra_outbuf *out);

void ra_outbuf_put(struct ra_outbuf *out, const char *bytes, size_t count);

/* Writes bytes as hex, two digits each. */
void ra_outbuf_put_hex(struct ra_outbuf *out, const char *bytes, size_t count);

/* Writes like printf(), for lines that are not frequent. Output over RA_OUTBUF_RESERVE_BYTES is
 * cut. */
void ra_outbuf_printf(struct ra_outbuf *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns room for `count` <= RA_OUTBUF_RESERVE_BYTES bytes. The caller writes there, then passes
 * the place after the last byte to ra_outbuf_commit(). */
static inline char *ra_outbuf_reserve(struct ra_outbuf *out, size_t count)
{
	if (out->capacity - out->used < count) {
		ra_outbuf_flush(out);
	}
	return out->bytes + out->used;
}

static inline void ra_outbuf_commit(struct ra_outbuf *out, const char *end)
{
	out->used = (size_t) (end - out->bytes);
}

static inline void ra_outbuf_text(struct ra_outbuf *out, const char *text)
{
	ra_outbuf_put(out, text, strlen(text));
}

/* The longest decimal number: 20 digits, or a sign and 19. */
#define RA_DECIMAL_BYTES 20u
/* The longest time: a sign, 17 digits of µs, a point, 3 digits. */
#define RA_MICROS_BYTES 24u

/* These three write at `place` and return the place after the last byte. */
char *ra_outbuf_decimal(char *place, uint64_t value);
char *ra_outbuf_signed(char *place, int64_t value);
/* Writes ns as µs with three decimals: 1234 is 1.234. */
char *ra_outbuf_micros(char *place, int64_t ns);

/* Two times, in ns, between two neighbouring multiples of this differ only in their last seven
 * digits. */
#define RA_OUTBUF_STRETCH_NS INT64_C(10000000)

/* Writes those seven digits, with the decimal point of µs before the last three. @ns: below
 * RA_OUTBUF_STRETCH_NS. */
char *ra_outbuf_micros_within(char *place, uint32_t ns);

static inline char *ra_outbuf_copy(char *place, const char *bytes, size_t count)
{
	memcpy(place, bytes, count);
	return place + count;
}

void ra_outbuf_put_decimal(struct ra_outbuf *out, uint64_t value);
void ra_outbuf_put_signed(struct ra_outbuf *out, int64_t value);

#endif
