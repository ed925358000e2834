/* SPDX-License-Identifier: MIT */
/* analyzer-mpi FILE... -o OUT: does the work of `analyzer batch` on all ranks of an MPI job. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "analyzer/batch/batch-names.h"
#include "analyzer/commands/batch/batch-parts.h"
#include "analyzer/commands/shared/cmd.h"

/* Rank 0 has the inputs and hands them out; a rank that has finished one reports that and gets the
 * next. */
enum tag {
	TAG_DONE, /* struct done */
	/* path, run and name of an input, each with its NUL; empty: there are no more inputs */
	TAG_WORK,
	/* struct part_message and the bytes that follow it; empty: there are no more parts */
	TAG_PART,
};

struct done {
	size_t input; /* SIZE_MAX: none; this is the first message of a rank */
	struct ra_batch_answer answer;
};

struct job {
	struct ra_cmd_batch batch;
	struct ra_batch_inputs inputs; /* used on rank 0 */
	struct ra_batch_result *results;
	struct ra_sum_file file; /* the parts of the summary that this rank has */
	int rank;
	int size;
};

/* Summarises an input in a process of its own, so that an input that crashes it does not end the
 * job. */
static void summarise(struct job *job, struct ra_batch_input *input, struct ra_batch_result *result)
{
	const struct ra_batch_inputs inputs = { .rows = input, .count = 1, .capacity = 1 };
	struct ra_batch_job one = {
		.inputs = &inputs,
		.options = &job->batch.sums.batch,
		.folder = job->batch.parts,
		.workers = 1,
		.resume = job->batch.resume,
	};
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };

	ra_cmd_batch_emit_set_job(&one, &job->batch.emits);
	if (ra_batch_run(&one, result, &err) != 0) {
		ra_batch_refuse(result, err.message);
	}
	ra_cmd_batch_read(&job->batch, &job->file, result);
}

static void send_work(const struct job *job, int to, const struct ra_batch_input *input)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put(&text, input->path, strlen(input->path) + 1);
	ra_util_text_put(&text, input->run, strlen(input->run) + 1);
	ra_util_text_put(&text, input->name, strlen(input->name) + 1);
	(void) job;
	MPI_Send(text.bytes, (int) text.length, MPI_CHAR, to, TAG_WORK, MPI_COMM_WORLD);
	ra_util_text_free(&text);
}

/* On rank 0: hands out inputs until every other rank has been told that there are no more. */
static void hand_out(struct job *job)
{
	size_t next = 0;
	int busy = job->size - 1;

	while (busy > 0) {
		struct done done;
		MPI_Status status;

		MPI_Recv(&done, sizeof(done), MPI_BYTE, MPI_ANY_SOURCE, TAG_DONE, MPI_COMM_WORLD,
		         &status);
		if (done.input < job->inputs.count) {
			ra_batch_take_answer(&job->results[done.input], &done.answer);
		}
		if (next < job->inputs.count) {
			MPI_Send(&next, sizeof(next), MPI_BYTE, status.MPI_SOURCE, TAG_WORK,
			         MPI_COMM_WORLD);
			send_work(job, status.MPI_SOURCE, &job->inputs.rows[next++]);
		} else {
			MPI_Send(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD);
			busy--;
		}
	}
}

/* Receives a message of any length. Return: its bytes; the caller frees them. *count: their
 * number. */
static char *receive(int from, enum tag tag, int *count)
{
	MPI_Status status;
	char *bytes;

	MPI_Probe(from, (int) tag, MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, MPI_BYTE, count);
	bytes = ra_alloc_bytes((size_t) *count + 1);
	MPI_Recv(bytes, *count, MPI_BYTE, from, (int) tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return bytes;
}

/* On the other ranks: takes one input after another. */
static void work(struct job *job)
{
	struct done done = { .input = SIZE_MAX };

	for (;;) {
		struct ra_batch_input input = { 0 };
		struct ra_batch_result result = { 0 };
		const char *slash;
		char *bytes;
		int count;

		MPI_Send(&done, sizeof(done), MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
		bytes = receive(0, TAG_WORK, &count);
		if (count == 0) {
			free(bytes);
			return;
		}
		memcpy(&done.input, bytes, sizeof(done.input));
		free(bytes);
		bytes = receive(0, TAG_WORK, &count);
		input.path = bytes;
		input.run = bytes + strlen(bytes) + 1;
		input.name = input.run + strlen(input.run) + 1;
		slash = strrchr(input.path, '/');
		input.source = slash == NULL ? input.path : slash + 1;
		summarise(job, &input, &result);
		ra_batch_make_answer(&done.answer, &result);
		free(result.message);
		free(bytes);
	}
}

/* Comes first in a message; the head of a part and the NUL-terminated path of its file follow. */
struct part_message {
	uint64_t size;
	uint64_t offset;
	uint64_t head;
};

/* Sends the heads of parts. The payloads stay in OUT/parts, which all ranks can read, so they don't
 * take a rank's memory. */
static void send_parts(const struct job *job, int to)
{
	for (size_t i = 0; i < job->file.count; i++) {
		const struct ra_sum_file_part *part = &job->file.parts[i];
		const struct part_message message = { part->size, part->offset,
			                              ra_sum_file_head(part) };
		struct ra_util_text text = { 0 };

		ra_util_text_put(&text, (const char *) &message, sizeof(message));
		ra_util_text_put(&text, (const char *) part->bytes, message.head);
		ra_util_text_put(&text, part->path, strlen(part->path) + 1);
		MPI_Send(text.bytes, (int) text.length, MPI_BYTE, to, TAG_PART, MPI_COMM_WORLD);
		ra_util_text_free(&text);
	}
	MPI_Send(NULL, 0, MPI_BYTE, to, TAG_PART, MPI_COMM_WORLD);
}

static void receive_parts(struct job *job, int from)
{
	for (;;) {
		struct part_message message;
		struct ra_sum_file_part part = { 0 };
		int count;
		char *bytes = receive(from, TAG_PART, &count);

		if (count == 0) {
			free(bytes);
			return;
		}
		memcpy(&message, bytes, sizeof(message));
		part.size = (size_t) message.size;
		part.offset = message.offset;
		part.bytes = (uint8_t *) bytes + sizeof(message);
		part.path = (const char *) part.bytes + message.head;
		ra_sum_file_refer(&job->file, &part);
		free(bytes);
	}
}

/* Collects all parts on rank 0, by a binomial tree: in each round, half of the remaining ranks send
 * their parts to the other half. */
static void reduce(struct job *job)
{
	for (int step = 1; step < job->size; step *= 2) {
		if (job->rank % (2 * step) != 0) {
			send_parts(job, job->rank - step);
			return;
		}
		if (job->rank + step < job->size) {
			receive_parts(job, job->rank + step);
		}
		(void) ra_sum_file_order(&job->file);
	}
}

/* On rank 0: prepares the work. */
static int begin(struct job *job, int argc, char **argv)
{
	int code = ra_cmd_sums_collect(&job->inputs, argv + optind, (size_t) (argc - optind),
	                               job->batch.output);

	code = code != 0 ? code : ra_cmd_batch_check(&job->batch, &job->inputs);
	if (code == 0) {
		ra_batch_names_make(&job->inputs);
		ra_batch_inputs_shard(&job->inputs, job->batch.shard, job->batch.shards);
		code = ra_cmd_batch_open(&job->batch);
	}
	if (code == 0) {
		code = ra_cmd_batch_plan(&job->batch, &job->inputs);
	}
	if (code == 0) {
		job->results = ra_alloc_zeros(job->inputs.count + 1, sizeof(*job->results));
	}
	return code;
}

static int run(struct job *job, int argc, char **argv)
{
	int code = ra_cmd_batch_parse(&job->batch, argc, argv);

	if (code == 0 && job->rank == 0) {
		code = begin(job, argc, argv);
	} else if (code == 0) {
		job->batch.parts = ra_alloc_format("%s/parts", job->batch.output);
	}
	/* All ranks use the worst code of all ranks. So no rank waits for a rank that has ended. */
	MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (code != 0) {
		return code;
	}
	for (size_t i = 0; i < job->inputs.count && job->size == 1; i++) {
		summarise(job, &job->inputs.rows[i], &job->results[i]);
	}
	if (job->rank == 0) {
		hand_out(job);
	} else {
		work(job);
	}
	reduce(job);
	if (job->rank == 0) {
		code = ra_cmd_batch_finish(&job->batch, &job->inputs, job->results, &job->file);
	}
	MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return code;
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			return true;
		}
	}
	return false;
}

static int show_help(void)
{
	fputs("usage: mpirun -n N analyzer-mpi FILE... -o OUT [--shard I/N] [--resume]\n"
	      "\n"
	      "`analyzer batch` over the ranks of an MPI job, which see the same files. Rank 0\n"
	      "hands out inputs, the others summarise them, and a tree of ranks brings together\n"
	      "where what came of it is. OUT is as from `analyzer batch`, byte by byte; its --help "
	      "lists the\n"
	      "options. -j has no meaning here: a rank is a worker.\n",
	      stdout);
	return RA_CMD_OK;
}

int main(int argc, char **argv)
{
	struct job job = { .batch.lock = -1 };
	int code;

	if (wants_help(argc, argv)) {
		return show_help();
	}
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.size);
	if (job.rank != 0 && freopen("/dev/null", "w", stderr) == NULL) {
		MPI_Abort(MPI_COMM_WORLD, RA_CMD_UNREADABLE);
	}
	ra_pool_set_jobs(1); /* the ranks share the cores, so each uses one thread */
	code = run(&job, argc, argv);
	ra_sum_file_fini(&job.file);
	ra_batch_free_results(job.results, job.inputs.count);
	ra_batch_inputs_fini(&job.inputs);
	ra_cmd_batch_fini(&job.batch);
	MPI_Finalize();
	return code;
}
