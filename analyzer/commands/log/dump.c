/* SPDX-License-Identifier: MIT */
/* analyzer dump: prints every event and fact of a log, one per line, in the file's order. */
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/inspect/dump-slices.h"
#include "analyzer/inspect/dump-text.h"
#include "analyzer/footer/footer.h"
#include "analyzer/load/load.h"

struct options {
	const char *path;
	bool all;
	bool by_time;
	bool slices;
	bool strict;
};

/* The state of the visitor of events. */
struct dump {
	const struct options *options;
	const struct rlog_reader *reader;
	struct ra_outbuf *out;
	struct ra_dump_text *text; /* owned */
	uint64_t bad_chunks;
};

static void visit_row(void *context, const struct ra_dump_events_row *row)
{
	struct dump *dump = context;

	ra_dump_text_event(dump->text, row);
}

static void visit_damage(void *context, const struct rlog_chunk *chunk,
                         const struct rlog_error *err)
{
	struct dump *dump = context;

	ra_dump_text_bad_chunk(dump->text, chunk, err);
	ra_cmd_print_error(dump->options->path, err);
	dump->bad_chunks++;
}

static void write_lines(struct dump *dump)
{
	const struct ra_dump_events_visitor visitor = { visit_row, visit_damage, dump };
	const struct rlog_fact *facts;
	size_t count = 0;

	dump->text = ra_dump_text_create(dump->reader, dump->out);
	facts = rlog_reader_borrow_capture(dump->reader, &count);
	ra_dump_text_facts(dump->text, "capture", facts, count);
	ra_dump_text_clock(dump->text);
	if (dump->options->all) {
		ra_dump_text_strings(dump->text);
	}
	ra_dump_text_defs(dump->text);
	ra_dump_events_walk(dump->reader, dump->options->by_time, &visitor);
	ra_dump_text_losses(dump->text);
	ra_dump_text_damages(dump->text);
	facts = rlog_reader_borrow_end(dump->reader, &count);
	ra_dump_text_facts(dump->text, "end", facts, count);
	ra_dump_text_destroy(dump->text);
}

/* Closes the output and prints remarks on stderr. */
static int finish(const struct options *options, const struct rlog_reader *reader,
                  struct ra_outbuf *out, bool is_sound)
{
	const int sys_errno = ra_outbuf_finish(out);

	if (sys_errno != 0) {
		return ra_cmd_print_unwritten("standard output", sys_errno);
	}
	ra_cmd_print_damages(options->path, reader);
	is_sound = is_sound && !ra_cmd_is_incomplete(reader);
	return !is_sound && options->strict ? RA_CMD_INCOMPLETE : RA_CMD_OK;
}

static int dump_lines(const struct options *options, struct ra_outbuf *out)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;

	if (ra_load_log(&reader, options->path, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	ra_cmd_screen_page();

	struct dump dump = { .options = options, .reader = reader, .out = out };
	int code;

	write_lines(&dump);
	code = finish(options, reader, out, dump.bad_chunks == 0);
	rlog_reader_close(reader);
	return code;
}

/* Prints the remarks after the dump of a JSON trace. */
static int finish_trace(const struct options *options, const struct ra_model *model,
                        struct ra_outbuf *out)
{
	const int sys_errno = ra_outbuf_finish(out);

	if (sys_errno != 0) {
		return ra_cmd_print_unwritten("standard output", sys_errno);
	}
	ra_cmd_print_lacks(options->path, model);
	return options->strict && ra_footer_is_incomplete(model) ? RA_CMD_INCOMPLETE : RA_CMD_OK;
}

static int dump_slices(const struct options *options, struct ra_outbuf *out)
{
	static const struct ra_load_options plain = { .walks = true };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_model *model = NULL;

	if (ra_cmd_progress_load(&model, options->path, &plain, &err) != 0) {
		return ra_cmd_print_error(options->path, &err);
	}
	ra_cmd_screen_page();
	int code;

	ra_dump_slices_write(model, out);
	if (model->reader != NULL) {
		code = finish(options, model->reader, out, true);
	} else {
		code = finish_trace(options, model, out);
	}
	ra_model_destroy(model);
	return code;
}

static int dump_file(const struct options *options)
{
	struct ra_outbuf out;
	int code;

	ra_outbuf_init(&out, STDOUT_FILENO, false);
	code = options->slices ? dump_slices(options, &out) : dump_lines(options, &out);
	ra_outbuf_fini(&out);
	return code;
}

static int run(int argc, char **argv)
{
	struct options options = { 0 };
	int option;

	while ((option = ra_cmd_options_next("dump", argc, argv)) != -1) {
		switch (option) {
		case 'a':
			options.all = true;
			break;
		case 'y':
			options.by_time = true;
			break;
		case 'z':
			options.slices = true;
			break;
		case 'S':
			options.strict = true;
			break;
		default:
			return RA_CMD_USAGE;
		}
	}
	if (optind + 1 != argc) {
		return ra_cmd_usage(optind == argc ? "no file given" : "more than one file given");
	}
	options.path = ra_cmd_find_path(argv[optind]);
	return dump_file(&options);
}

const struct ra_cmd cmd_dump = {
	.name = "dump",
	.synopsis = "dump FILE [options]",
	.summary = "Print every event of a log, one per line",
	.notes = "Lines of events: event STREAM ORDINAL TICKS OP key=value...\n"
		 "Others begin with capture, clock, string, def, loss, damage or end. Equal logs "
		 "give\n"
		 "equal bytes. A damaged log shows everything that can be read.\n",
	.run = run,
};
