/* SPDX-License-Identifier: MIT */
/* Measures the cost of the analyzer per event: of loading, of the table, of the JSON. Prints these
 * as multiples of lower bounds (floors) measured in the same run, and the memory. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/side/pool.h"
#include "analyzer/load/load.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/report/report-stream.h"
#include "analyzer/reports/reports.h"
#include "analyzer/commands/analyze/summary.h"
#include "format/codec.h"
#include "format/read/reader.h"
#include "format/wire.h"
#include "tests/tools/log-maker.h"

/*
 * The steps are measured in turns: REPEATS times, after one round for warming up. The result is the
 * median. CPU time of all threads is measured, so that a loaded host does not matter. It includes
 * the kernel's work for this process: page faults and write(2).
 */
#define REPEATS 7

enum step {
	STEP_INFLATE,
	STEP_FLOOR,
	STEP_LOAD,
	STEP_TABLE,
	STEP_STREAM,
	STEP_SUMMARY,
	STEP_JSON_NULL,
	STEP_JSON_FILE,
	STEP_WRITE,
	STEPS,
};

static const char *const step_names[STEPS] = {
	"inflate alone",
	"inflate + decode (floor)",
	"load",
	"load + table of ranges",
	"table of ranges that are not held",
	"load + summary",
	"JSON to /dev/null",
	"JSON to a file",
	"write(2) of the same bytes (floor)",
};

struct bench {
	const char *folder;
	char log[4096];
	char json[4096];
	struct ra_model *model; /* for the JSON steps */
	uint64_t events;
	uint64_t ranges;
	uint64_t json_bytes;
	double ns[STEPS][REPEATS + 1];
};

__attribute__((noreturn)) static void stop(const char *what)
{
	perror(what); /* NOLINT(concurrency-mt-unsafe): one thread */
	exit(1);      /* NOLINT(concurrency-mt-unsafe) */
}

static double cpu_ns(void)
{
	struct timespec time;

	(void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static struct rlog_reader *open_log(const struct bench *bench)
{
	struct rlog_reader *reader = NULL;

	if (rlog_reader_open(&reader, bench->log, NULL) != 0) {
		stop("reading the log");
	}
	return reader;
}

static void inflate_all(const struct bench *bench)
{
	const int fd = open(bench->log, O_RDONLY | O_CLOEXEC);
	struct rlog_reader *reader = open_log(bench);
	struct rlog_codec_inflater *inflater = NULL;
	char *stored = malloc(2u << 20);
	char *raw = malloc(RLOG_MAX_RAW_BYTES);
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	if (fd < 0 || stored == NULL || raw == NULL || rlog_codec_create_inflater(&inflater) != 0) {
		stop("inflating");
	}
	for (size_t i = 0; i < count; i++) {
		const off_t at = (off_t) chunks[i].offset + RLOG_HEADER_BYTES;

		if ((chunks[i].flags & RLOG_FLAG_STORED) == 0 &&
		    (pread(fd, stored, chunks[i].stored_bytes, at) < 0 ||
		     rlog_codec_inflate(inflater, stored, chunks[i].stored_bytes, raw,
		                        chunks[i].raw_bytes) != 0)) {
			stop("inflating");
		}
	}
	rlog_codec_destroy_inflater(inflater);
	rlog_reader_close(reader);
	free(stored);
	free(raw);
	(void) close(fd);
}

static void decode_all(struct bench *bench)
{
	struct rlog_reader *reader = open_log(bench);
	struct rlog_batch batch;
	size_t count;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(reader, &count);

	if (rlog_batch_init(&batch, 16384) != 0) {
		stop("decoding");
	}
	bench->events = 0;
	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS) {
			if (rlog_reader_decode_events(reader, &chunks[i], &batch, NULL) != 0) {
				stop("decoding");
			}
			bench->events += batch.count;
		}
	}
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
}

static struct ra_model *load_log(const struct bench *bench)
{
	struct ra_model *model = NULL;

	if (ra_load_file(&model, bench->log, NULL, NULL) != 0) {
		stop("loading");
	}
	return model;
}

static void make_table(const struct ra_model *model)
{
	struct ra_report_input input = { .model = model, .group_by = RA_GROUP_BY_NAME };
	const struct ra_query query = { .limit = 20 };
	struct ra_table table;

	ra_report_make(&ra_report_ranges, &input, &query, &table);
	ra_table_fini(&table);
	ra_report_fini_input(&input);
}

/* Makes the table in the way of `analyzer stats`: from a stream. */
static void stream_table(const struct bench *bench)
{
	const struct ra_labels_options names = { 0 };
	const struct ra_query query = { .limit = 20, .group_by = RA_GROUP_BY_NAME };
	const struct ra_settings settings = { 0 };
	const struct ra_report *const reports[] = { &ra_report_ranges };
	struct ra_range_stream *stream =
		ra_report_stream_create(reports, 1, &query, &settings, &names);
	const struct ra_load_options options = { .sink = ra_range_stream_borrow_sink(stream) };
	struct ra_report_input input = { .stream = stream };
	struct ra_model *model = NULL;
	struct ra_table table;

	if (ra_load_file(&model, bench->log, &options, NULL) != 0 || model->totals == NULL) {
		stop("reading without a model");
	}
	input.model = model;
	input.labels = ra_range_stream_borrow_labels(stream);
	ra_report_make(&ra_report_ranges, &input, &query, &table);
	ra_table_fini(&table);
	ra_report_fini_input(&input);
	ra_range_stream_destroy(stream);
	ra_model_destroy(model);
}

static void make_summary(const struct ra_model *model)
{
	const struct ra_summary_options options = { .input = "log" };
	FILE *out = fopen("/dev/null", "we");

	if (out == NULL || ra_summary_print(model, &options, NULL, out) != 0) {
		stop("making the summary");
	}
	(void) fclose(out);
}

static void write_json(struct bench *bench, const char *path)
{
	const struct ra_out_options options = { .output_name = "out.json", .names.is_raw = true };
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct ra_out_report report = { 0 };
	struct ra_outbuf out;

	if (fd < 0) {
		stop("writing JSON");
	}
	ra_outbuf_init(&out, fd, false);
	out_perfetto.write(bench->model, &options, &out, &report);
	if (ra_outbuf_finish(&out) != 0) {
		stop("writing JSON");
	}
	bench->json_bytes = out.flushed_bytes;
	bench->ranges = report.written;
	ra_outbuf_fini(&out);
	(void) close(fd);
}

/* Writes as many bytes as the JSON has, from one block. An output cannot be faster. */
static void write_bytes(const struct bench *bench)
{
	static char block[1 << 20];
	const int fd = open(bench->json, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	uint64_t left = bench->json_bytes;

	if (fd < 0) {
		stop("writing");
	}
	while (left > 0) {
		const ssize_t written =
			write(fd, block, left < sizeof(block) ? left : sizeof(block));

		if (written <= 0) {
			stop("writing");
		}
		left -= (uint64_t) written;
	}
	(void) close(fd);
}

static double run_step(struct bench *bench, enum step step)
{
	const double start = cpu_ns();
	struct ra_model *model = NULL;
	double end;

	switch (step) {
	case STEP_INFLATE:
		inflate_all(bench);
		break;
	case STEP_FLOOR:
		decode_all(bench);
		break;
	case STEP_STREAM:
		stream_table(bench);
		break;
	case STEP_JSON_NULL:
		write_json(bench, "/dev/null");
		break;
	case STEP_JSON_FILE:
		write_json(bench, bench->json);
		break;
	case STEP_WRITE:
		write_bytes(bench);
		break;
	default:
		model = load_log(bench);
		if (step == STEP_TABLE) {
			make_table(model);
		} else if (step == STEP_SUMMARY) {
			make_summary(model);
		}
		break;
	}
	end = cpu_ns();
	ra_model_destroy(model);
	return end - start;
}

static int compare_times(const void *left, const void *right)
{
	const double a = *(const double *) left;
	const double b = *(const double *) right;

	return a < b ? -1 : a > b;
}

/* The median of a step, without the first round. */
static double find_median(struct bench *bench, enum step step)
{
	qsort(bench->ns[step] + 1, REPEATS, sizeof(double), compare_times);
	return bench->ns[step][1 + REPEATS / 2];
}

static void print_times(struct bench *bench)
{
	const double floor = find_median(bench, STEP_FLOOR);
	const double write_floor = find_median(bench, STEP_WRITE);

	printf("%-36s %10s %8s %8s %8s   (medians of %d)\n", "", "ns/event", "M/s", "x floor",
	       "spread", REPEATS);
	for (enum step step = STEP_INFLATE; step < STEPS; step++) {
		const bool is_json = step >= STEP_JSON_NULL;
		const double median = find_median(bench, step);
		const uint64_t units = is_json ? bench->ranges : bench->events;

		if (step == STEP_JSON_NULL) {
			printf("%-36s %10s\n", "", "ns/range");
		}
		printf("%-36s %10.2f %8.1f %8.2f %7.0f%%\n", step_names[step],
		       median / (double) units, (double) units * 1e3 / median,
		       median / (is_json ? write_floor : floor),
		       100 * (bench->ns[step][REPEATS] - bench->ns[step][1]) / median);
	}
}

/* The peak resident memory, in kB, of a child process that takes one step. */
static long measure_peak_kb(struct bench *bench, enum step step)
{
	struct rusage usage;
	int status;
	const pid_t child = fork();

	if (child == 0) {
		(void) run_step(bench, step);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
		stop("measuring memory");
	}
	return usage.ru_maxrss;
}

static void print_memory(struct bench *bench)
{
	struct stat file;
	const long decode_kb = measure_peak_kb(bench, STEP_FLOOR);
	const long load_kb = measure_peak_kb(bench, STEP_LOAD);
	const long table_kb = measure_peak_kb(bench, STEP_TABLE);
	const long stream_kb = measure_peak_kb(bench, STEP_STREAM);

	if (stat(bench->log, &file) != 0) {
		stop(bench->log);
	}
	printf("\nlog %.2f bytes/event; peak memory beyond that of decoding (%ld KiB with the "
	       "mapped file):\n",
	       (double) file.st_size / (double) bench->events, decode_kb);
	printf("  load %.1f, table %.1f bytes/event; table of ranges that are not held: %ld KiB in "
	       "all\n",
	       (double) (load_kb - decode_kb) * 1024 / (double) bench->events,
	       (double) (table_kb - decode_kb) * 1024 / (double) bench->events, stream_kb);
}

static void make_log(struct bench *bench, uint64_t pairs)
{
	struct log_maker_options options = log_maker_defaults;
	struct rlog_error err = { 0 };
	const int fd = open(bench->log, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	options.pairs = pairs;
	if (fd < 0 || log_maker_write(fd, &options, &err) != 0) {
		stop("making the log");
	}
	(void) close(fd);
}

/* usage: bench-analyzer [PAIRS], or bench-analyzer floor LOG: only inflates and decodes it */
int main(int argc, char **argv)
{
	static struct bench bench;
	char folder[] = "/tmp/bench-analyzer-XXXXXX";
	const uint64_t pairs = argc > 1 ? strtoull(argv[1], NULL, 10) : 5000000;

	if (argc > 2 && strcmp(argv[1], "floor") == 0) {
		(void) snprintf(bench.log, sizeof(bench.log), "%s", argv[2]);
		decode_all(&bench);
		printf("%llu\n", (unsigned long long) bench.events);
		return 0;
	}
	bench.folder = mkdtemp(folder);
	if (bench.folder == NULL || pairs == 0) {
		stop("making a folder");
	}
	(void) snprintf(bench.log, sizeof(bench.log), "%s/log.bin", bench.folder);
	(void) snprintf(bench.json, sizeof(bench.json), "%s/out.json", bench.folder);
	/* because two threads on one core would increase each other's CPU time */
	ra_pool_set_jobs(1);
	make_log(&bench, pairs);
	for (int r = 0; r <= REPEATS; r++) {
		for (enum step step = STEP_INFLATE; step < STEPS; step++) {
			if (step == STEP_JSON_NULL) {
				bench.model = load_log(&bench);
			}
			bench.ns[step][r] = run_step(&bench, step);
		}
		ra_model_destroy(bench.model);
		bench.model = NULL;
	}
	print_times(&bench);
	print_memory(&bench);
	(void) unlink(bench.log);
	(void) unlink(bench.json);
	(void) rmdir(bench.folder);
	return 0;
}
