/* SPDX-License-Identifier: MIT */
/* analyzer info: what a log is, who wrote it, how large its parts are, what is missing. */
#include <errno.h>
#include <getopt.h>
#include <unistd.h>

#include "analyzer/commands/cmd-entries.h"
#include "analyzer/inspect/info.h"
#include "analyzer/load/load.h"

struct options {
	bool as_json;
	bool strict;
};

static int print_info(const struct options *options, const struct ra_info *info, bool is_first)
{
	struct ra_outbuf out;
	int code = ENOMEM;

	if (ra_outbuf_init(&out, STDOUT_FILENO, false) == 0) {
		if (options->as_json) {
			ra_info_print_json(info, &out);
		} else {
			ra_outbuf_put(&out, "\n", is_first ? 0 : 1);
			ra_info_print_text(info, &out);
		}
		code = ra_outbuf_finish(&out);
	}
	ra_outbuf_fini(&out);
	return code == 0 ? RA_CMD_OK : ra_cmd_print_unwritten("standard output", code);
}

static int show(const struct options *options, const char *path, bool is_first)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;
	struct ra_info info;
	int code;

	if (ra_load_log(&reader, path, &err) != 0) {
		return ra_cmd_print_error(path, &err);
	}
	if (ra_info_collect(&info, path, reader) != 0) {
		code = ra_cmd_print_unwritten("standard output", ENOMEM);
	} else {
		code = print_info(options, &info, is_first);
	}
	ra_cmd_print_damages(path, reader);
	if (code == RA_CMD_OK && options->strict && ra_cmd_is_incomplete(reader)) {
		code = RA_CMD_INCOMPLETE;
	}
	rlog_reader_close(reader);
	return code;
}

static int run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "json", no_argument, NULL, 'j' },
		{ "strict", no_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	static const char *const formats[] = { "text", "json", NULL };
	struct options options = { 0 };
	int code = RA_CMD_OK;
	int option;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	while ((option = getopt_long(argc, argv, "f:", long_options, NULL)) != -1) {
		int format = 0;

		switch (option) {
		case 'f':
			format = ra_cmd_choose("--format", optarg, formats);
			if (format < 0) {
				return RA_CMD_USAGE;
			}
			options.as_json = format == 1;
			break;
		case 'j':
			options.as_json = true;
			break;
		case 's':
			options.strict = true;
			break;
		default:
			return RA_CMD_USAGE;
		}
	}
	if (optind == argc) {
		return ra_cmd_usage("no file given");
	}
	for (int i = optind; i < argc; i++) {
		code = ra_cmd_join_exits(
			code, show(&options, ra_cmd_find_path(argv[i]), i == optind), i == optind);
	}
	return code;
}

const struct ra_cmd cmd_info = {
	.name = "info",
	.synopsis = "info FILE... [--format text|json] [--strict]",
	.summary = "Print what a log is, how large its parts are, and what is missing",
	.help = "  -f, --format FORMAT  text (the default), or json: an object per FILE, a line "
		"each\n"
		"      --json           the same as --format json\n"
		"      --strict         exit with 4 if events are missing: lost, damaged, or log "
		"not closed\n"
		"\n"
		"Events are not read; `analyzer verify` does that.\n",
	.run = run,
};
