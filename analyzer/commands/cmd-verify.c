/* SPDX-License-Identifier: MIT */
/* analyzer verify: is a log whole and in keeping with its format? */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/commands/cmd-entries.h"
#include "analyzer/load/load.h"
#include "analyzer/inspect/verify.h"
#include "format/wire.h"

struct options {
	const char *path;
	bool quiet;
};

static void print_finding(void *context, uint64_t offset, const char *message)
{
	const struct options *options = context;

	if (!options->quiet) {
		printf("%s: offset %" PRIu64 ": %s\n", options->path, offset, message);
	}
}

static void print_verdict(const struct options *options, const struct ra_verify *verify)
{
	size_t chunks = 0;
	size_t losses = 0;
	const struct rlog_loss *loss = rlog_reader_borrow_losses(verify->reader, &losses);
	uint64_t lost = 0;

	rlog_reader_borrow_chunks(verify->reader, &chunks);
	for (size_t i = 0; i < losses; i++) {
		lost += loss[i].cause == RLOG_CAUSE_INTERN_OVERFLOW ? 0 : loss[i].count;
	}
	printf("%s: ", options->path);
	if (verify->findings == 0) {
		printf("sound");
	} else {
		printf("%" PRIu64 " findings", verify->findings);
	}
	printf(", %zu chunks, %" PRIu64 " events", chunks, verify->events);
	if (lost > 0) {
		printf(", %" PRIu64 " lost while capturing", lost);
	}
	putchar('\n');
}

static int check(struct options *options)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;
	int code = RA_CMD_UNREADABLE;

	if (ra_load_log(&reader, options->path, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	struct ra_verify verify = {
		.reader = reader,
		.finding = print_finding,
		.context = options,
	};

	if (ra_verify_run(&verify) != 0) {
		rlog_error_set(&err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "out of memory");
		ra_cmd_print_error(options->path, &err);
	} else {
		code = verify.findings == 0 ? RA_CMD_OK : RA_CMD_FINDING;
		if (!options->quiet) {
			print_verdict(options, &verify);
		}
	}
	rlog_reader_close(reader);
	return code;
}

static int run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ NULL, 0, NULL, 0 },
	};
	struct options options = { 0 };
	int code = RA_CMD_OK;
	int option;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	while ((option = getopt_long(argc, argv, "q", long_options, NULL)) != -1) {
		if (option != 'q') {
			return RA_CMD_USAGE;
		}
		options.quiet = true;
	}
	if (optind == argc) {
		return ra_cmd_usage("no file given");
	}
	for (int i = optind; i < argc; i++) {
		options.path = ra_cmd_find_path(argv[i]);
		code = ra_cmd_join_exits(code, check(&options), i == optind);
	}
	return code;
}

const struct ra_cmd cmd_verify = {
	.name = "verify",
	.synopsis = "verify FILE... [--quiet]",
	.summary = "Check every byte of a log against its format",
	.help = "  -q, --quiet   print nothing, only exit\n"
		"\n"
		"Prints a line with the offset for each finding, and a verdict. A log that was not "
		"closed\n"
		"is a finding; events that were lost while capturing are none, they are in the "
		"verdict.\n"
		"Exit: 0 sound, 1 findings, 3 not readable at all.\n",
	.run = run,
};
