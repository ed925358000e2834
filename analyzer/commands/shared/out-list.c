/* SPDX-License-Identifier: MIT */
/* The list of outputs. */
#include "analyzer/commands/shared/out-list.h"

static const struct ra_out *const outs[] = {
	&out_speedscope,                  /* before perfetto: ends in its suffix … */
	&out_perfetto,   &out_folded_gpu, /* … and so before folded */
	&out_folded,     &out_page,       &out_sqlite, &out_pftrace,
	&out_events,     &out_events_csv, NULL,
};

const struct ra_out *const *ra_out_list_borrow(void)
{
	return outs;
}

const struct ra_out *ra_out_list_find_by_suffix(const char *path)
{
	size_t length = strlen(path);

	if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
		length -= 3;
	}
	for (size_t i = 0; outs[i] != NULL; i++) {
		const size_t wanted = strlen(outs[i]->suffix);

		if (length >= wanted &&
		    memcmp(path + length - wanted, outs[i]->suffix, wanted) == 0) {
			return outs[i];
		}
	}
	return NULL;
}

const struct ra_out *ra_out_list_find_by_name(const char *name)
{
	for (size_t i = 0; outs[i] != NULL; i++) {
		if (strcmp(outs[i]->name, name) == 0) {
			return outs[i];
		}
	}
	return NULL;
}
