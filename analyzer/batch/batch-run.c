/* SPDX-License-Identifier: MIT */
/* Summarises many inputs in worker processes. */
#include "analyzer/batch/batch-run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "analyzer/io/outfile.h"
#include "format/codec.h"

/* A process that works on an input. An answer is smaller than PIPE_BUF, so that writing it never
 * blocks. */
struct worker {
	pid_t pid; /* 0: no process works */
	int fd;
	size_t input;
};

_Static_assert(sizeof(struct ra_batch_answer) <= 512, "an answer goes through a pipe at once");

void ra_batch_refuse(struct ra_batch_result *result, const char *message)
{
	free(result->message);
	result->message = ra_alloc_copy(message);
	result->part[0] = '\0';
}

void ra_batch_take_answer(struct ra_batch_result *result, const struct ra_batch_answer *answer)
{
	char *before = result->message;

	*result = answer->result;
	result->message = answer->message[0] == '\0' ? NULL : ra_alloc_copy(answer->message);
	free(before);
}

void ra_batch_make_answer(struct ra_batch_answer *answer, const struct ra_batch_result *result)
{
	memset(answer, 0, sizeof(*answer));
	memcpy(answer->result.part, result->part, sizeof(result->part));
	answer->result.bytes = result->bytes;
	answer->result.was_there = result->was_there;
	answer->result.unwritten = result->unwritten;
	if (result->message != NULL) {
		snprintf(answer->message, sizeof(answer->message), "%s", result->message);
	}
}

void ra_batch_free_results(struct ra_batch_result *results, size_t count)
{
	for (size_t i = 0; i < count && results != NULL; i++) {
		free(results[i].message);
	}
	free(results);
}

/* Makes the file's name from content and path. The same content at two paths makes two files;
 * merging the parts counts it once. */
static void name_part(struct ra_batch_result *result, const struct ra_batch_input *input,
                      const uint8_t id[RA_SUM_ID_BYTES])
{
	uint32_t crc = rlog_codec_crc(input->run, strlen(input->run) + 1);
	char *at = result->part;

	crc = rlog_codec_crc_add(crc, input->source, strlen(input->source));
	for (size_t i = 0; i < RA_SUM_ID_BYTES; i++) {
		at += snprintf(at, 3, "%02x", id[i]);
	}
	snprintf(at, 16, "-%08x.sum", (unsigned) crc);
}

static bool is_sound(const char *path)
{
	struct ra_sum_file file = { 0 };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const bool sound = ra_sum_file_read(&file, path, &err) == 0;

	ra_sum_file_fini(&file);
	return sound;
}

static int write_part(const struct ra_sum_file *file, const char *path, struct rlog_error *err)
{
	struct ra_outfile out;
	int code = ra_outfile_open(&out, path);

	if (code == 0 && ra_sum_file_write(file, &out.buffer) != 0) {
		ra_outfile_abandon(&out);
		code = EIO;
	} else if (code == 0) {
		code = ra_outfile_commit(&out);
	}
	errno = code;
	return code == 0 ? 0
	                 : rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
	                                  "its summary cannot be written");
}

static void tell_error(struct ra_batch_result *result, const struct rlog_error *err)
{
	char message[RA_BATCH_MESSAGE_BYTES];
	char offset[32] = "";
	const char *reason = NULL;

	if (err->offset != RLOG_NO_OFFSET) {
		snprintf(offset, sizeof(offset), "offset %llu: ", (unsigned long long) err->offset);
	}
	if (err->code == RLOG_E_SYSTEM && err->sys_errno != 0) {
		reason = strerrordesc_np(err->sys_errno);
	}
	snprintf(message, sizeof(message), "%s%.150s%s%s", offset, err->message,
	         reason == NULL ? "" : ": ", reason == NULL ? "" : reason);
	ra_batch_refuse(result, message);
}

/* Runs in the worker. */
static void work(const struct ra_batch_job *job, const struct ra_batch_input *input,
                 struct ra_batch_result *result)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_sum_file file = { 0 };
	uint8_t id[RA_SUM_ID_BYTES];
	struct stat status;
	char *path = NULL;
	int rc = ra_sum_id_file(input->path, job->options->words, id, &err);

	if (rc == 0) {
		name_part(result, input, id);
		result->bytes = stat(input->path, &status) == 0 ? (uint64_t) status.st_size : 0;
		path = ra_alloc_format("%s/%s", job->folder, result->part);
	}
	result->was_there =
		rc == 0 && job->resume && is_sound(path) &&
		(job->has_outputs == NULL || job->has_outputs(job->context, input, result->part));
	if (rc == 0 && !result->was_there) {
		rc = ra_batch_one(&file, input, job->options, &err);
		if (rc == 0) {
			(void) ra_sum_file_order(&file);
			rc = write_part(&file, path, &err);
			result->unwritten = rc != 0;
		}
		if (rc == 0 && job->see_summary != NULL) {
			rc = job->see_summary(job->context, input, result->part, &file, &err);
		}
	}
	if (rc != 0) {
		tell_error(result, &err);
	}
	free(path);
	ra_sum_file_fini(&file);
}

static void run_worker(const struct ra_batch_job *job, size_t input, int fd, pid_t parent)
{
	struct ra_batch_result result = { 0 };
	struct ra_batch_answer answer;

	/* All processes together use as many threads as workers were asked for. */
	ra_pool_set_jobs(job->workers > job->inputs->count ? job->workers / job->inputs->count : 1);
	/* If the batch is killed, the results are not needed. */
	(void) prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) {
		_exit(1);
	}
	work(job, &job->inputs->rows[input], &result);
	ra_batch_make_answer(&answer, &result);
	_exit(write(fd, &answer, sizeof(answer)) == (ssize_t) sizeof(answer) ? 0 : 1);
}

static int start(const struct ra_batch_job *job, struct worker *worker, size_t input)
{
	const pid_t parent = getpid();
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0) {
		return -1;
	}
	worker->pid = fork();
	if (worker->pid == 0) {
		run_worker(job, input, fds[1], parent);
	}
	close(fds[1]);
	if (worker->pid < 0) {
		worker->pid = 0;
		close(fds[0]);
		return -1;
	}
	worker->fd = fds[0];
	worker->input = input;
	return 0;
}

/* Reads a worker's answer, when its end of the pipe is closed. */
static void finish(struct worker *worker, struct ra_batch_result *result)
{
	struct ra_batch_answer got;
	char message[RA_BATCH_MESSAGE_BYTES];
	ssize_t count;
	int status = 0;

	do {
		count = read(worker->fd, &got, sizeof(got));
	} while (count < 0 && errno == EINTR);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
	}
	/* A worker exits with 0 once its answer is written. A memory checker may change that. */
	if (count == (ssize_t) sizeof(got) && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		ra_batch_take_answer(result, &got);
	} else if (WIFSIGNALED(status)) {
		snprintf(message, sizeof(message), "its worker was ended by signal %d",
		         WTERMSIG(status));
		ra_batch_refuse(result, message);
	} else {
		ra_batch_refuse(result, WEXITSTATUS(status) == RA_ALLOC_EXIT
		                                ? "not enough memory"
		                                : "its worker ended early");
	}
	close(worker->fd);
	worker->pid = 0;
}

/* Waits until a worker is done. Return: its index, or the number of workers if none is working. */
static size_t wait_any(const struct worker *workers, struct pollfd *polls, size_t count)
{
	size_t busy = 0;

	for (size_t i = 0; i < count; i++) {
		polls[i] = (struct pollfd){ .fd = workers[i].pid != 0 ? workers[i].fd : -1,
			                    .events = POLLIN };
		busy += workers[i].pid != 0;
	}
	while (busy > 0) {
		if (poll(polls, count, -1) < 0) {
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			if (polls[i].revents != 0) {
				return i;
			}
		}
	}
	return count;
}

static int run_all(const struct ra_batch_job *job, struct worker *workers, struct pollfd *polls,
                   struct ra_batch_result *results)
{
	uint64_t bytes = 0;
	size_t next = 0;
	size_t done = 0;
	bool failed = false;

	for (;;) {
		size_t which;

		for (size_t i = 0; i < job->workers && !failed; i++) {
			if (workers[i].pid == 0 && next < job->inputs->count) {
				failed = start(job, &workers[i], next) != 0;
				next += !failed;
			}
		}
		which = wait_any(workers, polls, job->workers);
		if (which == job->workers) {
			break;
		}
		finish(&workers[which], &results[workers[which].input]);
		bytes += results[workers[which].input].bytes;
		done++;
		failed = false; /* another process may be started again */
		if (job->progress != NULL) {
			job->progress(job->progress_context, done, bytes);
		}
	}
	return next < job->inputs->count ? -RLOG_E_SYSTEM : 0;
}

int ra_batch_run(const struct ra_batch_job *job, struct ra_batch_result *results,
                 struct rlog_error *err)
{
	struct worker *workers = ra_alloc_zeros(job->workers, sizeof(*workers));
	struct pollfd *polls = ra_alloc_zeros(job->workers, sizeof(*polls));
	const int rc = run_all(job, workers, polls, results);

	free(workers);
	free(polls);
	return rc == 0 ? 0 : rlog_error_set(err, -rc, RLOG_NO_OFFSET, "no worker could be started");
}
