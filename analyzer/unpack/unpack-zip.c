/* SPDX-License-Identifier: MIT */
/* Unpacks zip archives with one file (PKWARE's APPNOTE 6.3, sections 4.3.7 and 4.4), with zlib. */
#include "analyzer/unpack/unpack-kinds.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/base/alloc.h"

/* A local file header has, in bytes: 4 signature, 2 version, 2 flags, 2 method, 4 time, 4 CRC-32, 4
 * packed size, 4 size, 2 + 2 lengths of the name and the extra field that follow. */
#define HEADER_BYTES   30u
#define FLAGS_AT       6u
#define METHOD_AT      8u
#define CRC_AT         14u
#define PACKED_AT      18u
#define NAME_AT        26u
#define EXTRA_AT       28u
#define FLAG_ENCRYPTED 1u
#define FLAG_DESCRIPTOR                                                                           \
	8u /* CRC and sizes come after the data, with or without a signature "PK\7\8" before them \
	    */
#define METHOD_STORED  0u
#define METHOD_DEFLATE 8u

enum part {
	HEADER,
	NAME,
	DATA,
	TAIL
};

struct zip {
	enum part part;
	uint8_t header[HEADER_BYTES];
	uint32_t have;    /* bytes read so far of the header, later of the tail */
	uint32_t left;    /* bytes still to come of the name and extra field, or of stored data */
	uint32_t name;    /* number of these that belong to the name */
	uint8_t last;     /* last byte of the name: a slash if it is a folder */
	uint32_t crc;     /* CRC of the unpacked bytes */
	z_stream stream;  /* zlib allocates and frees its own memory */
	uint8_t tail[16]; /* first bytes of the data descriptor, which follows the data */
};

static uint32_t get_u16(const uint8_t *at)
{
	return at[0] | (uint32_t) at[1] << 8;
}

static uint32_t get_u32(const uint8_t *at)
{
	return get_u16(at) | get_u16(at + 2) << 16;
}

static void *create(const char **why)
{
	struct zip *zip = ra_alloc_zeros(1, sizeof(*zip));

	*why = "no memory";
	if (inflateInit2(&zip->stream, -15) != Z_OK) {
		free(zip);
		return NULL;
	}
	return zip;
}

static void destroy(void *state)
{
	struct zip *zip = state;

	inflateEnd(&zip->stream);
	free(zip);
}

static bool probe(const uint8_t *head, size_t count)
{
	return count >= 4 && head[0] == 'P' && head[1] == 'K' && head[2] == 3 && head[3] == 4;
}

/* Tells what in the archive can't be read; NULL: all can. */
static const char *find_limit(const struct zip *zip)
{
	const uint32_t flags = get_u16(zip->header + FLAGS_AT);
	const uint32_t method = get_u16(zip->header + METHOD_AT);

	if (!probe(zip->header, HEADER_BYTES)) {
		return "there is no file in it";
	}
	if ((flags & FLAG_ENCRYPTED) != 0) {
		return "the file in it is encrypted";
	}
	if (method != METHOD_STORED && method != METHOD_DEFLATE) {
		return "the file in it is packed by another method than deflate";
	}
	if (method == METHOD_STORED &&
	    ((flags & FLAG_DESCRIPTOR) != 0 || get_u32(zip->header + PACKED_AT) == UINT32_MAX)) {
		return "the file in it is stored without its size";
	}
	return NULL;
}

static void take(struct ra_unpack_step *step, size_t count)
{
	step->in += count;
	step->in_count -= count;
}

static enum ra_unpack_state read_header(struct zip *zip, struct ra_unpack_step *step,
                                        const char **why)
{
	while (zip->have < HEADER_BYTES && step->in_count > 0) {
		zip->header[zip->have++] = *step->in;
		take(step, 1);
	}
	if (zip->have == HEADER_BYTES) {
		*why = find_limit(zip);
		if (*why != NULL) {
			return RA_UNPACK_REFUSED;
		}
		zip->name = get_u16(zip->header + NAME_AT);
		zip->left = zip->name + get_u16(zip->header + EXTRA_AT);
		zip->last = 0;
		zip->part = NAME;
	}
	return RA_UNPACK_MORE;
}

static void skip_name(struct zip *zip, struct ra_unpack_step *step)
{
	const size_t count = step->in_count < zip->left ? step->in_count : zip->left;

	if (zip->name > 0 && count >= zip->name) {
		zip->last = step->in[zip->name - 1];
	}
	zip->name -= count < zip->name ? (uint32_t) count : zip->name;
	take(step, count);
	zip->left -= (uint32_t) count;
	if (zip->left == 0) {
		zip->left = get_u32(zip->header + PACKED_AT);
		zip->crc = (uint32_t) crc32(0, NULL, 0);
		zip->have = 0;
		zip->part = DATA;
	}
}

static void copy_stored(struct zip *zip, struct ra_unpack_step *step)
{
	size_t count = step->in_count < zip->left ? step->in_count : zip->left;

	count = count < step->out_room ? count : step->out_room;
	for (size_t i = 0; i < count; i++) {
		step->out[i] = step->in[i];
	}
	take(step, count);
	step->out_room -= count;
	zip->left -= (uint32_t) count;
	if (zip->left == 0) {
		zip->part = TAIL;
	}
}

static enum ra_unpack_state inflate_data(struct zip *zip, struct ra_unpack_step *step,
                                         const char **why)
{
	z_stream *z = &zip->stream;
	int code;

	z->next_in = (z_const Bytef *) step->in;
	z->avail_in = (uInt) step->in_count;
	z->next_out = step->out;
	z->avail_out = (uInt) step->out_room;
	code = inflate(z, Z_NO_FLUSH);
	take(step, step->in_count - z->avail_in);
	step->out_room = z->avail_out;
	if (code == Z_STREAM_END) {
		zip->part = TAIL;
	} else if (code != Z_OK && code != Z_BUF_ERROR) {
		*why = z->msg != NULL ? z->msg : "no deflate stream";
		return RA_UNPACK_DAMAGED;
	}
	return RA_UNPACK_MORE;
}

static enum ra_unpack_state read_data(struct zip *zip, struct ra_unpack_step *step,
                                      const char **why)
{
	const uint8_t *out = step->out;
	const size_t room = step->out_room;
	enum ra_unpack_state state = RA_UNPACK_MORE;

	if (get_u16(zip->header + METHOD_AT) == METHOD_STORED) {
		copy_stored(zip, step);
	} else {
		state = inflate_data(zip, step, why);
	}
	zip->crc = (uint32_t) crc32(zip->crc, out, (uInt) (room - step->out_room));
	return state;
}

/* Compares CRC and size with the descriptor, which begins with the CRC, or with a signature and
 * then the CRC. */
static enum ra_unpack_state check(struct zip *zip, struct ra_unpack_step *step, const char **why)
{
	static const uint8_t signature[] = { 'P', 'K', 7, 8 };
	const bool has_descriptor = (get_u16(zip->header + FLAGS_AT) & FLAG_DESCRIPTOR) != 0;
	uint32_t crc = get_u32(zip->header + CRC_AT);

	while (has_descriptor && zip->have < 8 && step->in_count > 0) {
		zip->tail[zip->have++] = *step->in;
		take(step, 1);
	}
	if (has_descriptor && zip->have < 8) {
		return RA_UNPACK_MORE;
	}
	if (has_descriptor) {
		crc = get_u32(zip->tail + (memcmp(zip->tail, signature, 4) == 0 ? 4 : 0));
	}
	*why = "incorrect data check";
	if (crc != zip->crc) {
		return RA_UNPACK_DAMAGED;
	}
	if (zip->last == '/' && inflateReset(&zip->stream) == Z_OK) {
		zip->have = 0;
		zip->part = HEADER; /* it was a folder, which has no bytes; a file follows it */
		return RA_UNPACK_MORE;
	}
	return RA_UNPACK_END;
}

static enum ra_unpack_state step_on(void *state, struct ra_unpack_step *step, const char **why)
{
	struct zip *zip = state;
	enum ra_unpack_state result = RA_UNPACK_MORE;

	if (zip->part == HEADER) {
		result = read_header(zip, step, why);
	}
	if (zip->part == NAME && result == RA_UNPACK_MORE) {
		skip_name(zip, step);
	}
	if (zip->part == DATA) {
		result = read_data(zip, step, why);
	}
	if (zip->part == TAIL && result == RA_UNPACK_MORE) {
		result = check(zip, step, why);
	}
	return result;
}

/* The kind has no reset(), so a second file in the archive is not read. */
const struct ra_unpack_kind ra_unpack_zip = {
	.name = "zip",
	.command = "unzip -p",
	.suffix = ".zip",
	.has_tail = true,
	.probe = probe,
	.create = create,
	.step = step_on,
	.destroy = destroy,
};
