/* SPDX-License-Identifier: MIT */
/* The table of outputs. */
#include "analyzer/out.h"

static const struct ra_out *const OUTS[] = {
	&out_perfetto,
	NULL,
};

const struct ra_out *const *ra_out_borrow_all(void)
{
	return OUTS;
}

const struct ra_out *ra_out_find_by_suffix(const char *path)
{
	size_t length = strlen(path);

	if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
		length -= 3;
	}
	for (size_t i = 0; OUTS[i] != NULL; i++) {
		const size_t wanted = strlen(OUTS[i]->suffix);

		if (length >= wanted &&
		    memcmp(path + length - wanted, OUTS[i]->suffix, wanted) == 0) {
			return OUTS[i];
		}
	}
	return NULL;
}

const struct ra_out *ra_out_find_by_name(const char *name)
{
	for (size_t i = 0; OUTS[i] != NULL; i++) {
		if (strcmp(OUTS[i]->name, name) == 0) {
			return OUTS[i];
		}
	}
	return NULL;
}
