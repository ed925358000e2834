/* SPDX-License-Identifier: MIT */
/* Writes an SQLite file in the form that nsys exports. */
#include "config.h"

#include "analyzer/timeline/pens/out.h"

#include <errno.h>
#include <stdio.h>

#ifdef HAVE_SQLITE

#include "analyzer/io/sqlite-library.h"
#include "analyzer/write-sqlite/sqlite-write.h"

static const char *find_lack(void)
{
	const char *why;

	return ra_sqlite_library_find(&why) == NULL ? why : NULL;
}

static int write_file(const struct ra_model *model, const struct ra_out_options *options,
                      const char *path, struct ra_out_report *report)
{
	struct ra_sqlite_left_out left_out;
	const int code = ra_sqlite_write(model, &options->names, path, &left_out);

	*report = (struct ra_out_report){ .left_out = left_out.count };
	snprintf(report->why, sizeof(report->why), "nsys' tables have no place for %s",
	         left_out.list);
	return code;
}

#else

static const char *find_lack(void)
{
	return "analyzer was built without libsqlite3 (Debian: libsqlite3-dev)";
}

static int write_file(const struct ra_model *model, const struct ra_out_options *options,
                      const char *path, struct ra_out_report *report)
{
	(void) model;
	(void) options;
	(void) path;
	(void) report;
	return ENOSYS;
}

#endif

const struct ra_out out_sqlite = {
	.name = "sqlite",
	.summary = "the tables that nsys exports; never packed",
	.suffix = ".sqlite",
	.opens = "what reads exports of nsys reads it",
	.walks = true,
	.find_lack = find_lack,
	.write_file = write_file,
};
