/* SPDX-License-Identifier: MIT */
/* Reads the options --names and --rename, which several commands take. */
#include "analyzer/commands/shared/names.h"

#include <ctype.h>
#include <stdio.h>

#include "analyzer/commands/shared/cmd.h"
#include "analyzer/names/rename.h"

int ra_cmd_names_take_form(struct ra_cmd_names *names, const char *value)
{
	if (value[0] >= '0' && value[0] <= '9') { /* with head and tail, -n 20 is a number of
		                                     lines */
		return ra_cmd_usage("--names: \"%s\" is not one of normal, raw; `analyzer stats -l "
		                    "%s` limits the rows",
		                    value, value);
	}
	const int choice = ra_cmd_choose("--names", value, ra_labels_words);

	names->labels.is_raw = choice == 1;
	names->has_form = true;
	return choice < 0 ? RA_CMD_USAGE : 0;
}

/* A file in a folder "s" looks like a rule, so the user must write ./s/FILE. */
static bool is_rule(const char *value)
{
	return value[0] == 's' && ispunct((unsigned char) value[1]) && value[1] != '.' &&
	       value[1] != '-' && value[1] != '_';
}

int ra_cmd_names_take_rename(struct ra_cmd_names *names, const char *value)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	char text[100] = "";
	int rc;

	if (names->rename == NULL) {
		names->rename = ra_rename_create();
	}
	names->labels.rename = names->rename;
	rc = is_rule(value) ? ra_rename_add(names->rename, value, &err)
	                    : ra_rename_add_file(names->rename, value, &err);
	if (rc == 0) {
		return 0;
	}
	if (err.sys_errno != 0) {
		ra_cmd_errno_text(err.sys_errno, text, sizeof(text));
	}
	fprintf(stderr, "analyzer: --rename: %s: %s%s%s\n", value, err.message,
	        text[0] == '\0' ? "" : ": ", text);
	return RA_CMD_USAGE;
}

void ra_cmd_names_free(struct ra_cmd_names *names)
{
	ra_rename_destroy(names->rename);
	names->rename = NULL;
}
