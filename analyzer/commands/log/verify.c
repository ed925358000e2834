/* SPDX-License-Identifier: MIT */
/* analyzer verify: checks that a log is complete and follows its format. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/inspect/verify.h"
#include "analyzer/load/load.h"
#include "format/wire.h"

struct options {
	const char *path;
	bool quiet;
};

struct oddities {
	struct options *options;
	uint64_t count;
};

static void print_finding(void *context, uint64_t offset, const char *message)
{
	const struct options *options = context;

	if (!options->quiet) {
		ra_cmd_messages_put_name(options->path);
		printf(": offset %" PRIu64 ": %s\n", offset, message);
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
	ra_cmd_messages_put_name(options->path);
	printf(": ");
	if (verify->findings == 0) {
		printf("sound");
	} else {
		printf("%" PRIu64 " finding%s", verify->findings,
		       ra_util_text_plural(verify->findings));
	}
	printf(", %zu chunk%s, %" PRIu64 " event%s", chunks, ra_util_text_plural(chunks),
	       verify->events, ra_util_text_plural(verify->events));
	if (lost > 0) {
		printf(", %" PRIu64 " lost while capturing", lost);
	}
	putchar('\n');
}

/* Checks a log. @packed: the error in the compressed file around the log; code 0: none. */
static int check_log(struct options *options, struct rlog_reader *reader,
                     const struct rlog_error *packed)
{
	struct ra_verify verify = {
		.reader = reader,
		.finding = print_finding,
		.context = options,
	};
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };

	if (ra_verify_run(&verify) != 0) {
		rlog_error_set(&err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "out of memory");
		return ra_cmd_print_error(options->path, &err);
	}
	if (packed->code != 0) {
		verify.findings++;
		print_finding(options, packed->offset, packed->message);
	}
	if (!options->quiet) {
		print_verdict(options, &verify);
	}
	return verify.findings == 0 ? RA_CMD_OK : RA_CMD_FINDING;
}

static void count_finding(void *context, uint64_t offset, const char *what)
{
	struct oddities *oddities = context;

	oddities->count++;
	print_finding(oddities->options, offset, what);
}

/* Lists oddities of a JSON trace. Return: their number. */
static uint64_t list_oddities(struct options *options)
{
	struct oddities oddities = { .options = options };
	const struct ra_load_options load = {
		.rows_only = true,
		.finding = count_finding,
		.finding_context = &oddities,
	};
	struct ra_model *model = NULL;

	if (ra_load_file(&model, options->path, &load, NULL) == 0) {
		ra_model_destroy(model);
	}
	return oddities.count;
}

/* Checks a summary or a trace. A summary has checksums, which were checked when it was unpacked. A
 * JSON trace has none: it is good if all of it could be read. */
static int check_set(struct options *options, const struct ra_sum_set *set)
{
	const bool is_summary = ra_sum_file_is(options->path);
	struct ra_util_text foot = { 0 };
	uint64_t oddities = is_summary ? 0 : list_oddities(options);
	uint64_t events = 0;
	int code = RA_CMD_OK;

	for (size_t i = 0; i < set->source_count; i++) {
		events += set->sources[i].events;
		if (!is_summary && set->sources[i].state == RA_SUM_INCOMPLETE) {
			code = RA_CMD_FINDING;
		}
	}
	if (!options->quiet && code == RA_CMD_FINDING) {
		ra_sum_set_put_footer(&foot, set, "");
		(void) ra_util_text_write(&foot, stdout);
	}
	if (!options->quiet) {
		ra_cmd_messages_put_name(options->path);
		printf(": %s, ", code == RA_CMD_OK ? "sound" : "incomplete");
		if (is_summary) {
			printf("a summary of %zu input%s with %" PRIu64 " event%s\n",
			       set->source_count, ra_util_text_plural(set->source_count), events,
			       ra_util_text_plural(events));
		} else {
			printf("a trace, %" PRIu64 " event%s", events, ra_util_text_plural(events));
			if (oddities > 0) {
				printf(", %" PRIu64 " odd%s", oddities,
				       oddities == 1 ? "ity" : "ities");
			}
			putchar('\n');
		}
	}
	ra_util_text_free(&foot);
	return code;
}

static int check(struct options *options)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;
	struct ra_sum_set set = { 0 };
	int code;

	if (ra_cmd_sums_open(&reader, &set, options->path, &err) != 0) {
		code = ra_cmd_print_error(options->path, &err);
	} else if (reader == NULL) {
		code = check_set(options, &set);
	} else {
		code = check_log(options, reader, &err);
		rlog_reader_close(reader);
	}
	ra_sum_set_fini(&set);
	return code;
}

static int run(int argc, char **argv)
{
	struct ra_batch_inputs inputs = { 0 };
	struct options options = { 0 };
	int code;
	int option;

	while ((option = ra_cmd_options_next("verify", argc, argv)) != -1) {
		if (option != 'q') {
			return RA_CMD_USAGE;
		}
		options.quiet = true;
	}
	code = ra_cmd_sums_list(&inputs, argv + optind, (size_t) (argc - optind));
	for (size_t i = 0; i < inputs.count && (code == 0 || i > 0); i++) {
		options.path = inputs.rows[i].path;
		code = ra_cmd_join_exits(code, check(&options), i == 0);
	}
	ra_batch_inputs_fini(&inputs);
	return code;
}

const struct ra_cmd cmd_verify = {
	.name = "verify",
	.synopsis = "verify FILE... [options]",
	.summary = "Check every byte of a log against its format",
	.notes = "Prints a line with the offset for each finding, and a verdict. A log that was "
		 "not closed\n"
		 "is a finding. Events lost while capturing are no finding; the verdict counts "
		 "them.\n"
		 "A FILE may also be a folder with all files below it, or @LIST, a file with a "
		 "name on each\n"
		 "line. verify checks the checksums of a summary. A trace in JSON has none: verify "
		 "checks\n"
		 "only that it can be read.\n"
		 "Exit: 0 sound, 1 findings, 3 not readable at all.\n",
	.run = run,
};
