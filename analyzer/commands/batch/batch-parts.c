/* SPDX-License-Identifier: MIT */
/* Does the work of a batch before and after it summarises its inputs, without or with MPI. */
#include "analyzer/commands/batch/batch-parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/beside.h"
#include "analyzer/base/order/order.h"
#include "analyzer/commands/batch/batch-outputs.h"
#include "analyzer/commands/batch/batch-reports.h"
#include "analyzer/commands/batch/batch-timeline.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/options/options.h"

/* The name of a part begins with the identity of its content. */
#define ID_DIGITS ((size_t) 2 * RA_SUM_ID_BYTES)

/* At most this many bad inputs get a line each. Further ones are counted. */
#define BAD_LINES 100

static int parse_number(const char *option, const char *value, size_t limit, size_t *number)
{
	char *end;
	unsigned long long parsed;

	errno = 0;
	parsed = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || parsed == 0 ||
	    parsed > limit) {
		return ra_cmd_usage("%s: \"%s\" is not a number from 1 to %zu", option, value,
		                    limit);
	}
	*number = (size_t) parsed;
	return 0;
}

/* Reads "2/8", from 1/8 to 8/8. */
static int take_shard(struct ra_cmd_batch *batch, const char *value)
{
	char word[32];
	const char *slash = strchr(value, '/');
	const size_t length = slash == NULL ? 0 : (size_t) (slash - value);

	if (slash == NULL || length >= sizeof(word)) {
		return ra_cmd_usage("--shard: expected I/N such as 2/8, found \"%s\"", value);
	}
	memcpy(word, value, length);
	word[length] = '\0';
	if (parse_number("--shard", slash + 1, UINT32_MAX, &batch->shards) != 0 ||
	    parse_number("--shard", word, batch->shards, &batch->shard) != 0) {
		return RA_CMD_USAGE;
	}
	batch->shard--;
	return 0;
}

static int take_option(struct ra_cmd_batch *batch, int option, const char *value)
{
	switch (option) {
	case 'o':
		return ra_cmd_take_output(&batch->output, value);
	case 'j':
		return ra_cmd_sums_take_jobs(&batch->workers, value);
	case 'd':
		return take_shard(batch, value);
	case 'u':
		batch->resume = true;
		return 0;
	case 'E':
		return ra_cmd_batch_emit_take(&batch->emits, value);
	case 'm':
		batch->timeline = value;
		return ra_cmd_batch_timeline_check(value);
	case 'Z':
		batch->archive = true;
		return 0;
	case 'i':
		batch->align = value;
		return 0;
	default:
		return ra_cmd_sums_take(&batch->sums, option, value) == 0 ? 0 : RA_CMD_USAGE;
	}
}

static void finish_options(struct ra_cmd_batch *batch)
{
	ra_cmd_sums_tell_captures(&batch->sums);
	ra_cmd_sums_finish(&batch->sums);
	batch->emits.output = batch->output;
	batch->emits.sums = &batch->sums;
	ra_cmd_batch_emit_set_options(&batch->sums.batch, &batch->emits);
}

/* Checks the name of OUT. A user of -o ranks.json.gz wants a file, and would get a folder with this
 * name. */
static int check_output(const char *output)
{
	struct stat status;

	if (output == NULL) {
		return ra_cmd_usage("-o is missing: it names the folder for the results");
	}
	if (ra_batch_inputs_suffix(output) > 0 && stat(output, &status) != 0) {
		return ra_cmd_usage(
			"-o: expected a folder, found the file name \"%s\"; the folder gets "
			"summary.sum, report.txt and, with --timeline, ranks.json.gz",
			output);
	}
	return 0;
}

int ra_cmd_batch_parse(struct ra_cmd_batch *batch, int argc, char **argv)
{
	int option;

	*batch = (struct ra_cmd_batch){ .shards = 1, .lock = -1 };
	while ((option = ra_cmd_options_next("batch", argc, argv)) != -1) {
		const int code = take_option(batch, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (check_output(batch->output) != 0) {
		return RA_CMD_USAGE;
	}
	if (batch->workers == 0) {
		batch->workers = ra_beside_count_processors();
	}
	finish_options(batch);
	return 0;
}

static char *join(const char *folder, const char *name)
{
	return ra_alloc_format("%s/%s", folder, name);
}

static bool ends_in(const char *name, const char *end)
{
	const size_t length = strlen(name);

	return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/* Removes files that a killed batch left unfinished. */
static void clean_parts(const char *parts)
{
	DIR *folder = opendir(parts);
	const struct dirent *entry;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (!ends_in(entry->d_name, ".sum") &&
		    !(ends_in(entry->d_name, RA_CMD_BATCH_EMIT_MARK) && entry->d_name[0] != '.')) {
			(void) unlinkat(dirfd(folder), entry->d_name, 0);
		}
	}
	if (folder != NULL) {
		closedir(folder);
	}
}

int ra_cmd_batch_check(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs)
{
	struct ra_cmd_sums drawn = { .option = batch->timeline != NULL ? "timeline" : NULL };
	int code = ra_cmd_sums_check(&batch->sums, inputs);
	bool has_tables = batch->emits.count == 0;

	for (size_t i = 0; i < batch->emits.count; i++) {
		has_tables = has_tables || batch->emits.rows[i].form != NULL;
	}
	drawn.option = has_tables ? drawn.option : "emit";
	return code != 0 || drawn.option == NULL ? code : ra_cmd_sums_check(&drawn, inputs);
}

/* Opens OUT and locks it. The lock belongs to this process: if it is killed, workers don't keep the
 * lock. */
int ra_cmd_batch_open(struct ra_cmd_batch *batch)
{
	const char *output = batch->output;
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *path = join(output, ".lock");
	int code = 0;

	batch->parts = join(output, "parts");
	if ((mkdir(output, 0777) != 0 && errno != EEXIST) ||
	    (mkdir(batch->parts, 0777) != 0 && errno != EEXIST)) {
		code = ra_cmd_print_unwritten(output, errno);
	} else {
		batch->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (batch->lock < 0) {
			code = ra_cmd_print_unwritten(output, errno);
		} else if (fcntl(batch->lock, F_SETLK, &whole) != 0) {
			fprintf(stderr,
			        "analyzer: %s: another batch is writing here: wait for it, or take "
			        "another folder\n",
			        output);
			code = RA_CMD_UNWRITTEN;
		} else {
			clean_parts(batch->parts);
		}
	}
	free(path);
	return code;
}

void ra_cmd_batch_read(const struct ra_cmd_batch *batch, struct ra_sum_file *file,
                       struct ra_batch_result *result)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	char *path = result->part[0] == '\0' ? NULL : join(batch->parts, result->part);

	if (path != NULL && ra_sum_file_read(file, path, &err) != 0) {
		ra_batch_refuse(result, err.message);
	}
	free(path);
}

/* Reports inputs without a part. Return: how many there are. */
static size_t tell_bad(const struct ra_batch_inputs *inputs, const struct ra_batch_result *results)
{
	size_t bad = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		if (results[i].part[0] == '\0' && bad++ < BAD_LINES) {
			fprintf(stderr, "analyzer: %s: %s\n", inputs->rows[i].path,
			        results[i].message == NULL ? "not enough memory"
			                                   : results[i].message);
		}
	}
	if (bad > BAD_LINES) {
		fprintf(stderr, "analyzer: and %zu more files without a summary\n",
		        bad - BAD_LINES);
	}
	return bad;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ra_batch_result *const *left = a;
	const struct ra_batch_result *const *right = b;
	const int order = memcmp((*left)->part, (*right)->part, ID_DIGITS);

	/* results are in one array, so if contents are equal, the first input comes first */
	return RA_ORDER_THEN(order, RA_ORDER(*left, *right));
}

/* Names the inputs whose content equals another's. Return: how many there are. */
static size_t tell_duplicates(const struct ra_batch_inputs *inputs,
                              const struct ra_batch_result *results)
{
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	const struct ra_batch_result **sorted = ra_alloc_zeros(inputs->count, sizeof(*sorted));
	size_t count = 0;
	size_t duplicates = 0;
	size_t first = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		if (results[i].part[0] != '\0') {
			sorted[count++] = &results[i];
		}
	}
	RA_SORT(sorted, count, compare_parts);
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

/* Lists every file that may exist at the end. */
static void add_planned(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                        struct ra_cmd_batch_outputs *outputs)
{
	ra_cmd_batch_outputs_add(outputs, ra_alloc_copy("summary.sum"));
	for (size_t i = 0; ra_cmd_batch_reports_names[i] != NULL; i++) {
		ra_cmd_batch_outputs_add(outputs, ra_alloc_copy(ra_cmd_batch_reports_names[i]));
	}
	if (batch->timeline != NULL) {
		ra_cmd_batch_outputs_add(outputs, ra_alloc_copy(ra_cmd_batch_timeline_name(batch)));
	}
	for (size_t i = 0; i < inputs->count * batch->emits.count; i++) {
		ra_cmd_batch_outputs_add(
			outputs, ra_cmd_batch_emit_path(&batch->emits.rows[i / inputs->count],
		                                        &inputs->rows[i % inputs->count]));
	}
}

int ra_cmd_batch_plan(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs)
{
	struct ra_cmd_batch_outputs outputs = { 0 };
	int code;

	ra_cmd_batch_outputs_read(&outputs, batch->output);
	add_planned(batch, inputs, &outputs);
	code = ra_cmd_batch_outputs_write(&outputs, batch->output);
	ra_cmd_batch_outputs_fini(&outputs);
	return code == 0 ? 0 : ra_cmd_print_unwritten(batch->output, code);
}

/* Lists the outputs of inputs that were read. Summaries have fewer outputs. */
static void add_emitted(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                        const struct ra_batch_result *results, struct ra_cmd_batch_outputs *outputs)
{
	for (size_t i = 0; i < inputs->count * batch->emits.count; i++) {
		const struct ra_batch_input *input = &inputs->rows[i % inputs->count];

		if (results[i % inputs->count].part[0] != '\0') {
			ra_cmd_batch_outputs_add(
				outputs, ra_cmd_batch_emit_path(
						 &batch->emits.rows[i / inputs->count], input));
		}
	}
}

/* Removes files that an earlier batch wrote and this one did not. They come from other inputs or
 * options. */
static int tidy(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                const struct ra_batch_result *results, bool has_reports, bool has_timeline)
{
	struct ra_cmd_batch_outputs before = { 0 };
	struct ra_cmd_batch_outputs now = { 0 };
	int code;

	ra_cmd_batch_outputs_read(&before, batch->output);
	if (has_reports) {
		ra_cmd_batch_outputs_add(&now, ra_alloc_copy("summary.sum"));
		for (size_t i = 0; ra_cmd_batch_reports_names[i] != NULL; i++) {
			ra_cmd_batch_outputs_add(&now,
			                         ra_alloc_copy(ra_cmd_batch_reports_names[i]));
		}
	}
	if (has_timeline) {
		ra_cmd_batch_outputs_add(&now, ra_alloc_copy(ra_cmd_batch_timeline_name(batch)));
	}
	add_emitted(batch, inputs, results, &now);
	ra_cmd_batch_outputs_order(&now);
	ra_cmd_batch_outputs_remove(&before, &now, batch->output);
	code = ra_cmd_batch_outputs_write(&now, batch->output);
	ra_cmd_batch_outputs_fini(&before);
	ra_cmd_batch_outputs_fini(&now);
	return code == 0 ? 0 : ra_cmd_print_unwritten(batch->output, code);
}

/* Counts the inputs that were read but have no part, because it could not be written. */
static size_t count_unwritten(const struct ra_batch_inputs *inputs,
                              const struct ra_batch_result *results)
{
	size_t count = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		count += results[i].part[0] == '\0' && results[i].unwritten;
	}
	return count;
}

/* Prints the result for users. */
static void print_end(const struct ra_batch_inputs *inputs, const struct ra_batch_result *results,
                      size_t bad, size_t duplicates)
{
	const size_t unwritten = count_unwritten(inputs, results);
	size_t kept = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		kept += results[i].was_there;
	}
	printf("%zu %s: %zu summarised", inputs->count, inputs->count == 1 ? "input" : "inputs",
	       inputs->count - bad - kept);
	if (kept > 0) {
		printf(", %zu were summarised before", kept);
	}
	if (duplicates > 0) {
		printf(", %zu of these the same as another input", duplicates);
	}
	if (bad > unwritten) {
		printf(", %zu could not be read", bad - unwritten);
	}
	if (unwritten > 0) {
		printf(", %zu summaries could not be written", unwritten);
	}
	putchar('\n');
}

/* Says which inputs have no range that --step-range names. */
static void tell_whole(const struct ra_cmd_batch *batch, const struct ra_sum_file *file)
{
	struct ra_cmd_sums_whole whole = { .range = batch->sums.batch.step_range };

	for (size_t i = 0; i < file->count; i++) {
		ra_cmd_sums_whole_see(&whole, &file->parts[i]);
	}
	ra_cmd_sums_whole_tell(&whole);
}

int ra_cmd_batch_finish(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                        const struct ra_batch_result *results, struct ra_sum_file *file)
{
	const size_t bad = tell_bad(inputs, results);
	const size_t duplicates = tell_duplicates(inputs, results);
	char *path = join(batch->output, "summary.sum");
	bool has_timeline = false;
	int code = 0;

	(void) ra_sum_file_order(file);
	tell_whole(batch, file);
	if (file->count > 0) {
		code = ra_cmd_sums_write(file, path);
	}
	if (code == 0 && file->count > 0) {
		code = ra_cmd_batch_reports_write(file, batch->output);
	}
	if (code == 0) {
		print_end(inputs, results, bad, duplicates);
	}
	if (code == 0 && batch->timeline != NULL) {
		code = ra_cmd_batch_timeline(batch, inputs, results, file, &has_timeline);
	}
	if (code == 0) {
		code = tidy(batch, inputs, results, file->count > 0, has_timeline);
	}
	if (code == 0) {
		code = count_unwritten(inputs, results) > 0 ? RA_CMD_UNWRITTEN
		       : bad == 0                           ? 0
		       : file->count == 0                   ? RA_CMD_UNREADABLE
		                                            : RA_CMD_PARTLY;
	}
	free(path);
	return code;
}

void ra_cmd_batch_fini(struct ra_cmd_batch *batch)
{
	if (batch->lock >= 0) {
		close(batch->lock);
	}
	free(batch->parts);
	ra_cmd_sums_fini(&batch->sums);
}
