/* SPDX-License-Identifier: MIT */
/* The words of comparisons. */
#include "analyzer/diff/diff-words.h"

static const char *const role_names[RA_ROLES] = {
	[RA_ROLE_KERNEL] = "Kernel",     [RA_ROLE_MEMCPY] = "Memcpy",
	[RA_ROLE_MEMSET] = "Memset",     [RA_ROLE_COMMUNICATION] = "Communication",
	[RA_ROLE_RUNTIME] = "Runtime",   [RA_ROLE_DATALOADER] = "DataLoader",
	[RA_ROLE_CPU_EXEC] = "CPU Exec", [RA_ROLE_OTHER] = "Other",
	[RA_ROLE_TOTAL] = "Total",
};

static const char *const verdicts[] = {
	[RA_DIFF_SAME] = "",         [RA_DIFF_FASTER] = "faster", [RA_DIFF_SLOWER] = "slower",
	[RA_DIFF_UNSURE] = "unsure", [RA_DIFF_NEW] = "new",       [RA_DIFF_GONE] = "gone",
};

static const char *const kinds[RA_SUM_TABLES] = {
	[RA_SUM_RANGES] = "range",  [RA_SUM_PATHS] = "path", [RA_SUM_KERNELS] = "kernel",
	[RA_SUM_COPIES] = "memcpy", [RA_SUM_APIS] = "api",
};

const char *ra_diff_words_role(size_t role)
{
	return role_names[role];
}

const char *ra_diff_words_kind(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_KERNELS && row->kind == RA_SUM_COLLECTIVE ? "collective"
	                                                                      : kinds[row->table];
}

void ra_diff_words_put_units(struct ra_util_text *text, const struct ra_diff *diff, size_t side)
{
	ra_util_text_format(text, "%llu %s%s", (unsigned long long) diff->units[side],
	                    diff->has_steps ? "step" : "input", diff->units[side] == 1 ? "" : "s");
}

struct ra_table_cell ra_diff_words_verdict(enum ra_diff_verdict verdict)
{
	struct ra_table_cell cell = ra_table_make_word(verdicts[verdict]);

	cell.has_value = verdict != RA_DIFF_SAME;
	return cell;
}
