/* SPDX-License-Identifier: MIT */
/* The drain's log file: choosing its name, opening it safely, its first chunk. */
#include "libranges/drain/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"

/* Names tried before giving up. */
#define MAX_ATTEMPTS 1000u

/* Bytes of a list of texts in the spool (each ended by a NUL, an empty one ends the list). */
static size_t list_bytes(const char *list, size_t size)
{
	size_t used = 0;

	while (used < size && list[used] != '\0') {
		used += strnlen(list + used, size - used) + 1;
	}
	return used < size ? used : size;
}

static int put_capture(struct rcap_drain *drain, struct rlog_error *err)
{
	const struct rcap_spool_header *header = drain->spool->header;
	struct rcap_facts_list *list = malloc(sizeof(*list));
	int status;

	if (!list) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory");
	}
	rcap_facts_list_init(list, &header->facts);
	rcap_facts_list_add_text(list, "clock", header->clock);
	rcap_facts_list_add_u64(list, "ticks_per_s", header->ticks_per_s);
	rcap_facts_list_add_bool(list, "crash_safe", header->crash_safe != 0);
	if (header->forked) {
		rcap_facts_list_add_bool(list, "forked", true);
	}
	rcap_facts_list_add_texts(list, "settings", header->settings,
	                          list_bytes(header->settings, sizeof(header->settings)));
	rcap_facts_list_add_texts(list, "notes", header->notes,
	                          list_bytes(header->notes, sizeof(header->notes)));
	status = rlog_writer_put_capture(drain->writer, list->facts, list->count, err);
	if (status == 0) {
		status = rlog_writer_put_clock(drain->writer, &header->first_clock, 1, err);
	}
	free(list);
	return status;
}

static struct rlog_writer_options options_of(const struct rcap_drain *drain)
{
	const struct rcap_spool_header *header = drain->spool->header;

	return (struct rlog_writer_options){ .tag = header->tag,
		                             .level = header->level <= 9 ? (int) header->level : 1,
		                             .recovered = !drain->is_owner };
}

/* Opens the first name that is free; the name goes to header->log_path. Return: fd, or -1 and
 * errno. */
static int open_new(struct rcap_spool_header *header)
{
	struct rcap_output_names names = { .host = header->facts.host,
		                           .pid = header->facts.pid,
		                           .is_root = header->is_root != 0 };
	char rank[24];
	int fd = -1;

	header->output[sizeof(header->output) - 1] = '\0';
	if (header->facts.rank >= 0) {
		rcap_log_format(rank, sizeof(rank), "%ld", (long) header->facts.rank);
		names.rank = rank;
	}
	for (; names.attempt < MAX_ATTEMPTS; names.attempt++) {
		if (rcap_output_make(header->log_path, sizeof(header->log_path), header->output,
		                     &names, NULL) != 0) {
			errno = EINVAL;
			break;
		}
		fd = open(header->log_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		          0600);
		if (fd >= 0 || errno != EEXIST) {
			break;
		}
	}
	return fd;
}

/* Leaves numbers that programs like to close and reuse. */
static int move_high(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);

	if (high < 0) {
		return fd;
	}
	close(fd);
	return high;
}

int rcap_drain_create_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	const struct rlog_writer_options options = options_of(drain);
	int status;
	int fd = open_new(header);

	if (fd < 0) {
		status = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s",
		                        header->log_path, strerrordesc_np(errno));
		header->log_path[0] = '\0';
		return status;
	}
	drain->fd = move_high(fd);
	status = rlog_writer_create(&drain->writer, drain->fd, &options, err);
	if (status == 0) {
		status = put_capture(drain, err);
	}
	if (status != 0) {
		rlog_writer_destroy(drain->writer);
		drain->writer = NULL;
		unlink(header->log_path);
		header->log_path[0] = '\0';
		close(drain->fd);
		drain->fd = -1;
	}
	return status;
}

int rcap_drain_resume_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	const struct rlog_writer_options options = options_of(drain);

	header->log_path[sizeof(header->log_path) - 1] = '\0';
	drain->fd = open(header->log_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (drain->fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s",
		                      header->log_path, strerrordesc_np(errno));
	}
	return rlog_writer_resume(&drain->writer, drain->fd, &options, err);
}
