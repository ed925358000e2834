/* SPDX-License-Identifier: MIT */
/* Reads a log for a writer: the only place where the two meet. */
#include "format/read/resume.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "format/read/reader-impl.h"

static int map_log(struct rlog_resume *out, int fd, struct rlog_error *err)
{
	struct stat status;
	void *mapped = NULL;

	if (fstat(fd, &status) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot stat the log");
	}
	if (!S_ISREG(status.st_mode)) {
		return rlog_error_set(err, RLOG_E_NOT_A_FILE, RLOG_NO_OFFSET, "not a regular file");
	}
	if (status.st_size == 0) {
		return rlog_error_set(err, RLOG_E_EMPTY, 0, "the file is empty");
	}
	mapped = mmap(NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped == MAP_FAILED) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot map the log");
	}
	out->mapped = mapped;
	out->mapped_bytes = (size_t) status.st_size;
	return 0;
}

static int compare_offsets(const void *left, const void *right)
{
	const struct rlog_chunk *const a = left;
	const struct rlog_chunk *const b = right;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

int rlog_resume_open(struct rlog_resume *out, int fd, struct rlog_error *err)
{
	struct rlog_reader *reader = NULL;
	int code = 0;

	*out = (struct rlog_resume){ 0 };
	code = map_log(out, fd, err);
	code = code ? code
	            : rlog_reader_open_memory(&out->reader, out->mapped, out->mapped_bytes, err);
	if (code) {
		return code;
	}
	reader = out->reader;
	if (reader->chunks.count) {
		qsort(reader->chunks.rows, reader->chunks.count, sizeof(*reader->chunks.rows),
		      compare_offsets);
	}
	out->chunks = reader->chunks.rows;
	out->chunk_count = reader->chunks.count;
	out->strings = reader->strings;
	out->string_count = reader->string_count;
	out->defs = reader->defs;
	out->def_count = reader->def_count;
	out->def_end = reader->def_end;
	out->tag = reader->tag;
	return 0;
}

void rlog_resume_close(struct rlog_resume *resume)
{
	rlog_reader_close(resume->reader);
	if (resume->mapped) {
		(void) munmap(resume->mapped, resume->mapped_bytes);
	}
	*resume = (struct rlog_resume){ 0 };
}
