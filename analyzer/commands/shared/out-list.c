/* SPDX-License-Identifier: MIT */
/* The list of outputs. */
#include "analyzer/commands/shared/out-list.h"

#define ADDRESS(out) &(out),
static const struct ra_out *const outs[] = { RA_OUTS(ADDRESS) NULL };

const struct ra_out *const *ra_out_list_borrow(void)
{
	return outs;
}

const struct ra_out *ra_out_list_find_by_suffix(const char *path)
{
	const struct ra_out *found = NULL;
	size_t length = strlen(path);

	if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
		length -= 3;
	}
	for (size_t i = 0; outs[i] != NULL; i++) {
		const size_t wanted = strlen(outs[i]->suffix);

		/* Finds the output with the longest suffix: x.gpu.folded also ends in .folded. */
		if (length >= wanted && (found == NULL || wanted > strlen(found->suffix)) &&
		    memcmp(path + length - wanted, outs[i]->suffix, wanted) == 0) {
			found = outs[i];
		}
	}
	return found;
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

void ra_out_list_put_notes(struct ra_util_text *text)
{
	ra_util_text_format(text, "OUT's suffix says what is written:\n");
	for (size_t i = 0; outs[i] != NULL; i++) {
		const char *line = outs[i]->summary;

		ra_util_text_format(text, "  %-16s  ", outs[i]->suffix);
		for (const char *end = strchr(line, '\n'); end != NULL; end = strchr(line, '\n')) {
			ra_util_text_format(text, "%.*s\n%20s", (int) (end - line), line, "");
			line = end + 1;
		}
		ra_util_text_format(text, "%s\n", line);
	}
	ra_util_text_format(text, "\n");
}
