/* SPDX-License-Identifier: MIT */
/* Gives each field of a payload a path, such as inner.x or values[]. */
#ifndef RA_PAYLOAD_PATH_H
#define RA_PAYLOAD_PATH_H

#include "analyzer/payload/payload.h"
#include "analyzer/base/text/util-text.h"

#define RA_PAYLOAD_PATH_MAX_DEPTH 64 /* payloads nest less deep, arrays of arrays included */

/*
 * A visitor that calls `field` for each value, with its path: the names of nested schemas joined by
 * dots, and [] for an element of an array, or [3] if with_index is set. A payload that is only a
 * value has the path "payload". Set field, context and with_index, and the rest to zero.
 */
struct ra_payload_path {
	void (*field)(void *context, struct rlog_string path, const struct ra_payload_value *value);
	void *context;
	bool with_index;
	struct ra_util_text text; /* free it by ra_util_text_free() */
	size_t lengths[RA_PAYLOAD_PATH_MAX_DEPTH];
	uint64_t indices[RA_PAYLOAD_PATH_MAX_DEPTH];
	bool arrays[RA_PAYLOAD_PATH_MAX_DEPTH];
	uint32_t hidden;
	uint32_t depth;
};

struct ra_payload_visitor ra_payload_path_visitor(struct ra_payload_path *path);

#endif
