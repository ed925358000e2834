/* SPDX-License-Identifier: MIT */
/* analyzer slice FILE --from TIME --to TIME -o OUT: writes a part of a log as a log. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/util.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/shared/times.h"
#include "analyzer/io/outfile.h"
#include "analyzer/load/load.h"
#include "analyzer/part/part.h"

#define COPY_BYTES 65536

struct options {
	const char *path;
	const char *output;
	struct ra_part_options part;
};

/* Copies the part from a temporary file to an output that can't be written in place: a pipe, or a
 * compressed file. */
static int copy_file(FILE *from, struct ra_outbuf *to)
{
	static char bytes[COPY_BYTES];
	size_t count;

	rewind(from);
	while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0) {
		ra_outbuf_put(to, bytes, count);
	}
	return ferror(from) ? EIO : 0;
}

/*
 * Writes the part into the output.
 *
 * @sys_errno: set if an output could not be written.
 * Return: as ra_part_write().
 */
static int fill_output(struct rlog_reader *reader, const struct options *options,
                       struct ra_outfile *file, struct ra_part_result *result,
                       struct rlog_error *err, int *sys_errno)
{
	const bool is_direct =
		file->temp_path != NULL && !ra_outfile_has_suffix(options->output, ".gz");
	FILE *aside = is_direct ? NULL : tmpfile();
	const int fd = is_direct ? file->fd : aside != NULL ? fileno(aside) : -1;
	int code = -RLOG_E_SYSTEM;

	if (fd < 0) {
		*sys_errno = errno;
		return code;
	}
	code = ra_part_write(reader, &options->part, fd, result, err);
	*sys_errno = code != -RLOG_E_SYSTEM ? 0 : err->sys_errno != 0 ? err->sys_errno : EIO;
	if (code == 0 && !is_direct) {
		*sys_errno = copy_file(aside, &file->buffer);
	}
	if (aside != NULL) {
		(void) fclose(aside);
	}
	return code;
}

/* Prints what the part contains, and remarks that users may not expect. */
static void tell(const struct options *options, const struct ra_part_result *result)
{
	const char *shown = strcmp(options->output, "-") == 0 ? "standard output" : options->output;
	struct ra_util_text text = { 0 };

	ra_util_text_format(&text, "analyzer: %s: ", shown);
	ra_util_text_put_count(&text, result->events);
	ra_util_text_format(&text, " event%s", ra_util_text_plural(result->events));
	if (result->begun > 0) {
		ra_util_text_format(&text, ", ");
		ra_util_text_put_count(&text, result->begun);
		ra_util_text_format(&text, " range%s open when it begins",
		                    ra_util_text_plural(result->begun));
	}
	if (result->gpu_before > 0) {
		ra_util_text_format(&text, ", ");
		ra_util_text_put_count(&text, result->gpu_before);
		ra_util_text_format(&text, " GPU operation%s launched before it not taken",
		                    ra_util_text_plural(result->gpu_before));
	}
	if (options->part.from_ns > result->end_ns) {
		ra_util_text_format(&text, "; the recording ends at ");
		ra_util_text_put_time(&text, result->end_ns);
	} else if (options->part.thread != NULL && result->threads == 0) {
		ra_util_text_format(&text, "; no thread has \"");
		ra_util_text_put_name(&text, ra_util_string(options->part.thread),
		                      RA_TEXT_TERMINAL);
		ra_util_text_format(&text, "\" in its name");
	}
	ra_util_text_put_char(&text, '\n');
	(void) ra_util_text_write(&text, stderr);
	ra_util_text_free(&text);
}

static int write_output(struct rlog_reader *reader, const struct options *options)
{
	const char *shown = strcmp(options->output, "-") == 0 ? "standard output" : options->output;
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_part_result result;
	struct ra_outfile file;
	int sys_errno = ra_outfile_open(&file, options->output);
	int code;

	if (sys_errno != 0) {
		return ra_cmd_print_unwritten(shown, sys_errno);
	}
	code = fill_output(reader, options, &file, &result, &err, &sys_errno);
	if (code != 0 || sys_errno != 0) {
		ra_outfile_abandon(&file);
	} else {
		sys_errno = ra_outfile_commit(&file);
	}
	if (sys_errno != 0) {
		return ra_cmd_print_unwritten(shown, sys_errno);
	}
	if (code != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	tell(options, &result);
	return RA_CMD_OK;
}

static int slice_file(const struct options *options)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;
	int code;

	if (ra_load_log(&reader, options->path, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	code = write_output(reader, options);
	(void) ra_cmd_print_damages(options->path, reader);
	rlog_reader_close(reader);
	return code;
}

static int take_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case '<':
		return ra_cmd_times_take("--from", value, &options->part.from_ns);
	case '>':
		return ra_cmd_times_take("--to", value, &options->part.to_ns);
	case 'H':
		options->part.thread = value;
		return 0;
	case 'o':
		return ra_cmd_take_output(&options->output, value);
	default:
		return RA_CMD_USAGE;
	}
}

static int run(int argc, char **argv)
{
	struct options options = { .part = { .from_ns = INT64_MIN, .to_ns = INT64_MAX } };
	int option;

	while ((option = ra_cmd_options_next("slice", argc, argv)) != -1) {
		const int code = take_option(&options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (argc - optind != 1) {
		return ra_cmd_usage(optind == argc ? "no file given" : "more than one file given");
	}
	if (options.output == NULL) {
		return ra_cmd_usage("-o is missing: it names the new log");
	}
	if (options.part.from_ns == INT64_MIN && options.part.to_ns == INT64_MAX &&
	    options.part.thread == NULL) {
		return ra_cmd_usage(
			"--from, --to or --thread is missing: it says which part to write");
	}
	if (options.part.to_ns <= options.part.from_ns) {
		return ra_cmd_usage("--to must be later than --from");
	}
	options.path = ra_cmd_find_path(argv[optind]);
	return slice_file(&options);
}

const struct ra_cmd cmd_slice = {
	.name = "slice",
	.synopsis = "slice FILE -o OUT.bin [--from TIME] [--to TIME] [--thread TEXT]",
	.summary = "Write a part of a log, by time or thread, as a log",
	.notes =
		"OUT is an ordinary log. It keeps FILE's names, threads, definitions, clock, "
		"losses\n"
		"and facts about the process. Its time 0 is --from. A range open at --from begins\n"
		"there; a range open at --to ends there. GPU work is in OUT if its call is,\n"
		"whenever it runs; what runs in OUT but was launched before is counted.\n",
	.run = run,
};
