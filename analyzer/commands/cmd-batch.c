/* SPDX-License-Identifier: MIT */
/* analyzer batch FILE... -o OUT: summaries of many inputs in worker processes, merged, and reports.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/batch/batch-run.h"
#include "analyzer/commands/cmd-sums.h"
#include "analyzer/commands/cmd-entries.h"
#include "analyzer/commands/cmd.h"
#include "analyzer/io/outfile.h"

#define MAX_WORKERS 1024u

struct options {
	const char *output;
	size_t workers; /* 0: one per processor */
	size_t shard;   /* from 0 */
	size_t shards;
	bool resume;
	struct ra_cmd_sums sums;
};

/* The name of a part begins with the identity of its content. */
#define ID_DIGITS ((size_t) 2 * RA_SUM_ID_BYTES)

/* Bad inputs that get a line each; more are counted. */
#define BAD_LINES 100

struct progress {
	int64_t start_ms;
	int64_t last_ms;
	size_t total;
};

static int64_t read_clock_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void show_progress(void *context, size_t done, uint64_t bytes)
{
	struct progress *progress = context;
	const int64_t now_ms = read_clock_ms();
	const double seconds = (double) (now_ms - progress->start_ms) / 1000;

	if (now_ms - progress->start_ms < 1000 || now_ms - progress->last_ms < 100) {
		return;
	}
	progress->last_ms = now_ms;
	fprintf(stderr, "\rbatch: %zu of %zu files, %.1f MB/s, %.0f s left  ", done,
	        progress->total, (double) bytes / 1e6 / seconds,
	        seconds / (double) done * (double) (progress->total - done));
}

static int parse_number(const char *option, const char *value, size_t limit, size_t *number)
{
	char *end;
	unsigned long long parsed;

	errno = 0;
	parsed = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || parsed == 0 ||
	    parsed > limit) {
		return ra_cmd_usage("%s: \"%s\" is no number from 1 to %zu", option, value, limit);
	}
	*number = (size_t) parsed;
	return 0;
}

/* "2/8", from 1/8 to 8/8. */
static int take_shard(struct options *options, const char *value)
{
	char word[32];
	const char *slash = strchr(value, '/');
	const size_t length = slash == NULL ? 0 : (size_t) (slash - value);

	if (slash == NULL || length >= sizeof(word)) {
		return ra_cmd_usage("--shard: \"%s\" is not like 2/8", value);
	}
	memcpy(word, value, length);
	word[length] = '\0';
	if (parse_number("--shard", slash + 1, UINT32_MAX, &options->shards) != 0 ||
	    parse_number("--shard", word, options->shards, &options->shard) != 0) {
		return RA_CMD_USAGE;
	}
	options->shard--;
	return 0;
}

static int take_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'o':
		options->output = value;
		return 0;
	case 'j':
		return parse_number("-j", value, MAX_WORKERS, &options->workers);
	case 's':
		return take_shard(options, value);
	case 'r':
		options->resume = true;
		return 0;
	default:
		return ra_cmd_sums_take(&options->sums, option, value) == 0 ? 0 : RA_CMD_USAGE;
	}
}

static int parse_options(struct options *options, int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "shard", required_argument, NULL, 's' },
		{ "resume", no_argument, NULL, 'r' },
		RA_CMD_SUMS_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int option;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while ((option = getopt_long(argc, argv, "o:j:n:", long_options, NULL)) != -1) {
		const int code = take_option(options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (options->output == NULL) {
		return ra_cmd_usage("-o: the folder of the results must be said");
	}
	if (options->workers == 0) {
		const long processors = sysconf(_SC_NPROCESSORS_ONLN);

		options->workers = processors < 1                      ? 1
		                   : (size_t) processors > MAX_WORKERS ? MAX_WORKERS
		                                                       : (size_t) processors;
	}
	return ra_cmd_sums_finish(&options->sums);
}

static int refuse_output(const char *output, int sys_errno)
{
	return ra_cmd_print_unwritten(output, sys_errno);
}

static char *join(const char *folder, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Files that a batch which was killed did not finish. */
static void clean_parts(const char *parts)
{
	DIR *folder = opendir(parts);
	const struct dirent *entry;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		const size_t length = strlen(entry->d_name);

		if (length < 4 || strcmp(entry->d_name + length - 4, ".sum") != 0) {
			(void) unlinkat(dirfd(folder), entry->d_name, 0);
		}
	}
	if (folder != NULL) {
		closedir(folder);
	}
}

/*
 * Makes OUT and OUT/parts and keeps others out of it. *lock stays open as long as the batch. Such a
 * lock is this process's: workers do not hold it on when it is killed.
 */
static int open_folder(const char *output, char **parts, int *lock)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *path = join(output, ".lock");
	int code = 0;

	*parts = join(output, "parts");
	if (path == NULL || *parts == NULL) {
		code = refuse_output(output, ENOMEM);
	} else if ((mkdir(output, 0777) != 0 && errno != EEXIST) ||
	           (mkdir(*parts, 0777) != 0 && errno != EEXIST)) {
		code = refuse_output(output, errno);
	} else {
		*lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (*lock < 0) {
			code = refuse_output(output, errno);
		} else if (fcntl(*lock, F_SETLK, &whole) != 0) {
			fprintf(stderr, "analyzer: %s: another batch is at work here\n", output);
			code = RA_CMD_UNWRITTEN;
		} else {
			clean_parts(*parts);
		}
	}
	free(path);
	return code;
}

/* Appends the parts of all inputs that have one. Return: how many inputs have none. */
static size_t read_parts(struct ra_sum_file *file, const struct ra_batch_inputs *inputs,
                         struct ra_batch_result *results, const char *parts)
{
	size_t bad = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };
		char *path = results[i].part[0] == '\0' ? NULL : join(parts, results[i].part);

		if (path != NULL && ra_sum_file_read(file, path, &err) != 0) {
			snprintf(results[i].message, sizeof(results[i].message), "%.200s",
			         err.message);
			results[i].part[0] = '\0';
		}
		free(path);
		if (results[i].part[0] != '\0') {
			continue;
		}
		if (bad < BAD_LINES) {
			fprintf(stderr, "analyzer: %s: %s\n", inputs->rows[i].path,
			        results[i].message);
		}
		bad++;
	}
	if (bad > BAD_LINES) {
		fprintf(stderr, "analyzer: and %zu more files that could not be read\n",
		        bad - BAD_LINES);
	}
	return bad;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ra_batch_result *const *left = a;
	const struct ra_batch_result *const *right = b;
	const int order = memcmp((*left)->part, (*right)->part, ID_DIGITS);

	/* results are an array: the first input of a content comes first */
	return order != 0 ? order : (*left > *right) - (*left < *right);
}

/* Names the inputs whose content another one has. Return: how many there are. */
static size_t tell_duplicates(const struct ra_batch_inputs *inputs,
                              const struct ra_batch_result *results)
{
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	const struct ra_batch_result **sorted = calloc(inputs->count, sizeof(*sorted));
	size_t count = 0;
	size_t duplicates = 0;
	size_t first = 0;

	for (size_t i = 0; i < inputs->count && sorted != NULL; i++) {
		if (results[i].part[0] != '\0') {
			sorted[count++] = &results[i];
		}
	}
	if (count > 0) {
		// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
		qsort(sorted, count, sizeof(*sorted), compare_parts);
	}
	for (size_t i = 1; i < count; i++) {
		if (memcmp(sorted[i]->part, sorted[first]->part, ID_DIGITS) != 0) {
			first = i;
		} else if (duplicates++ < BAD_LINES) {
			fprintf(stderr, "analyzer: %s: the same as %s: taken once\n",
			        inputs->rows[sorted[i] - results].path,
			        inputs->rows[sorted[first] - results].path);
		}
	}
	free(sorted);
	return duplicates;
}

static int write_report(const struct ra_sum_set *set, const char *path,
                        enum ra_sum_report_form form)
{
	struct ra_sum_report_options options = { .reports = ra_sum_report_all, .form = form };
	struct ra_util_text text = { 0 };
	struct ra_outfile out;
	int code;

	while (ra_sum_report_all[options.report_count] != NULL) {
		options.report_count++;
	}
	code = ra_sum_report_put(&text, set, &options) != 0 ? ENOMEM : ra_outfile_open(&out, path);
	if (code == 0) {
		ra_outbuf_put(&out.buffer, text.bytes, text.length);
		code = ra_outfile_commit(&out);
	}
	ra_util_text_free(&text);
	return code == 0 ? 0 : ra_cmd_print_unwritten(path, code);
}

static int write_reports(const struct ra_sum_file *file, const char *output)
{
	static const struct {
		const char *name;
		enum ra_sum_report_form form;
	} reports[] = { { "report.txt", RA_SUM_REPORT_TEXT },
		        { "report.csv", RA_SUM_REPORT_CSV },
		        { "report.json", RA_SUM_REPORT_JSON } };
	struct ra_sum_set set = { 0 };
	int code = 0;

	if (ra_sum_set_add_file(&set, file) != 0) {
		code = ra_cmd_print_unwritten(output, ENOMEM);
	}
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]) && code == 0; i++) {
		char *path = join(output, reports[i].name);

		code = path == NULL ? ra_cmd_print_unwritten(output, ENOMEM)
		                    : write_report(&set, path, reports[i].form);
		free(path);
	}
	ra_sum_set_fini(&set);
	return code;
}

/* What people are told at the end. */
static void print_end(const struct ra_batch_inputs *inputs, const struct ra_batch_result *results,
                      size_t bad, size_t duplicates)
{
	size_t kept = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		kept += results[i].was_there;
	}
	printf("%zu inputs: %zu summarised", inputs->count, inputs->count - bad - kept);
	if (kept > 0) {
		printf(", %zu were so before", kept);
	}
	if (duplicates > 0) {
		printf(", %zu of these there before under another name", duplicates);
	}
	if (bad > 0) {
		printf(", %zu could not be read", bad);
	}
	putchar('\n');
}

static int run_all(const struct options *options, const struct ra_batch_inputs *inputs,
                   struct ra_batch_result *results, const char *parts)
{
	struct progress progress = { .start_ms = read_clock_ms(), .total = inputs->count };
	const struct ra_batch_job job = {
		.inputs = inputs,
		.options = &options->sums.batch,
		.folder = parts,
		.workers = options->workers,
		.resume = options->resume,
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.progress_context = &progress,
	};
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const int rc = ra_batch_run(&job, results, &err);

	if (progress.last_ms != 0) {
		fputs("\r\033[K", stderr);
	}
	return rc == 0 ? 0 : ra_cmd_print_error("batch", &err);
}

static int finish(const struct options *options, const struct ra_batch_inputs *inputs,
                  struct ra_batch_result *results, const char *parts)
{
	struct ra_sum_file file = { 0 };
	const size_t bad = read_parts(&file, inputs, results, parts);
	const size_t duplicates = tell_duplicates(inputs, results);
	char *path = join(options->output, "summary.sum");
	int code = path == NULL ? ra_cmd_print_unwritten(options->output, ENOMEM) : 0;

	(void) ra_sum_file_order(&file);
	if (code == 0 && file.count > 0) {
		code = ra_cmd_sums_write(&file, path);
	}
	if (code == 0 && file.count > 0) {
		code = write_reports(&file, options->output);
	}
	if (code == 0) {
		print_end(inputs, results, bad, duplicates);
		code = bad == 0 ? 0 : file.count == 0 ? RA_CMD_UNREADABLE : RA_CMD_PARTLY;
	}
	free(path);
	ra_sum_file_fini(&file);
	return code;
}

static int run_batch(int argc, char **argv)
{
	struct options options = { .shards = 1 };
	struct ra_batch_inputs inputs = { 0 };
	struct ra_batch_result *results = NULL;
	char *parts = NULL;
	int lock = -1;
	int code = parse_options(&options, argc, argv);

	if (code == 0) {
		code = ra_cmd_sums_collect(&inputs, argv + optind, (size_t) (argc - optind),
		                           options.output);
	}
	if (code == 0 && options.output != NULL) {
		ra_batch_inputs_shard(&inputs, options.shard, options.shards);
		code = open_folder(options.output, &parts, &lock);
	}
	if (code == 0) {
		results = calloc(inputs.count + 1, sizeof(*results));
		code = results == NULL ? ra_cmd_print_unwritten(options.output, ENOMEM)
		                       : run_all(&options, &inputs, results, parts);
	}
	if (code == 0 && results != NULL) {
		code = finish(&options, &inputs, results, parts);
	}
	if (lock >= 0) {
		close(lock);
	}
	free(parts);
	free(results);
	ra_batch_inputs_fini(&inputs);
	ra_cmd_sums_fini(&options.sums);
	return code;
}

const struct ra_cmd cmd_batch = {
	.name = "batch",
	.synopsis = "batch FILE... -o OUT [-j N] [--shard I/N] [--resume]",
	.summary = "Summarise many logs and traces in parallel, into a folder",
	.help = "  -o, --output OUT       the folder: summary.sum, report.txt, report.csv,\n"
		"                         report.json, and parts/, a summary for each input\n"
		"  -j, --jobs N           worker processes (the default: one per processor)\n"
		"      --shard I/N        of N shards of the inputs the I-th, from 1/N to N/N;\n"
		"                         `analyzer merge` puts their summaries together\n"
		"      --resume           leave out what OUT/parts has: inputs are known by their\n"
		"                         content, so a batch that was killed goes "
		"on\n" RA_CMD_SUMS_HELP "\n"
		"A FILE is a log, a trace in JSON, a summary, a folder with all below it, or\n"
		"@LIST, a file with a name on each line. The folders below one that is named are\n"
		"runs. A file that cannot be read stops nothing: it is named, and the exit is 5.\n"
		"What is in OUT/summary.sum depends on the inputs only, not on -j nor on shards.\n",
	.run = run_batch,
};
