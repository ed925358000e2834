/* SPDX-License-Identifier: MIT */
/* Writes an archive of several inputs for Perfetto, with a manifest that puts them on one time
 * axis. */
#include "analyzer/timeline/ranks/out-ranks.h"

#include <stdio.h>

#include "analyzer/io/jsonw.h"
#include "analyzer/io/tar.h"

#define NAME_BYTES 64u

/* Makes a name in the archive: 002-rank7.json, or 002.json if the rank is unknown. */
static void name_file(char name[NAME_BYTES], const struct ra_ranks *ranks, size_t index)
{
	const int64_t rank = ranks->inputs[index].rank;

	if (rank >= 0) {
		snprintf(name, NAME_BYTES, "%03zu-rank%lld.json", index, (long long) rank);
	} else {
		snprintf(name, NAME_BYTES, "%03zu.json", index);
	}
}

/* Writes the entry of a file. Times in all files are on one axis already, because some readers
 * ignore the manifest. The entry is still needed, because Perfetto assumes a clock of its own for
 * each file unless the manifest tells otherwise. */
static void put_file(struct ra_jsonw *json, const struct ra_ranks *ranks, size_t index)
{
	const struct rlog_string host = ranks->texts.rows[ranks->inputs[index].host];
	char name[NAME_BYTES];

	name_file(name, ranks, index);
	ra_jsonw_newline(json);
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "path");
	ra_jsonw_text(json, name);
	if (host.length > 0) {
		ra_jsonw_key(json, "machine");
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "name");
		ra_jsonw_bytes(json, host.bytes, host.length);
		ra_jsonw_close(json, '}');
	}
	if (index > 0) {
		name_file(name, ranks, 0);
		ra_jsonw_key(json, "clocks");
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "sync_to");
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "file");
		ra_jsonw_text(json, name);
		ra_jsonw_close(json, '}');
		ra_jsonw_key(json, "offset_ns");
		ra_jsonw_signed(json, 0);
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_close(json, '}');
}

static void put_attribute(struct ra_jsonw *json, const struct ra_ranks *ranks, size_t index,
                          const char *what, int64_t value)
{
	char name[NAME_BYTES];
	char key[2 * NAME_BYTES];

	name_file(name, ranks, index);
	snprintf(key, sizeof(key), "ranges.%s.%s", name, what);
	ra_jsonw_newline(json);
	ra_jsonw_key(json, key);
	ra_jsonw_signed(json, value);
}

/* Writes by how much each clock was moved, and how uncertain that is. */
static void put_attributes(struct ra_jsonw *json, const struct ra_ranks *ranks)
{
	ra_jsonw_key(json, "ranges.pairs");
	ra_jsonw_unsigned(json, ranks->pairs);
	ra_jsonw_key(json, "ranges.reversed");
	ra_jsonw_unsigned(json, ranks->reversed);
	for (size_t i = 0; i < ranks->count; i++) {
		const struct ra_ranks_input *input = &ranks->inputs[i];

		put_attribute(json, ranks, i, "offset_ns", input->offset_ns);
		if (input->uncertainty_ns >= 0) {
			put_attribute(json, ranks, i, "uncertainty_ns", input->uncertainty_ns);
		}
		put_attribute(json, ranks, i, "meetings", (int64_t) input->matched);
	}
}

static void put_manifest(const struct ra_ranks *ranks, struct ra_outbuf *out)
{
	struct ra_jsonw json;

	ra_jsonw_init(&json, out);
	ra_jsonw_open(&json, '{');
	ra_jsonw_key(&json, "perfetto_manifest");
	ra_jsonw_open(&json, '{');
	ra_jsonw_key(&json, "version");
	ra_jsonw_unsigned(&json, 1);
	ra_jsonw_key(&json, "files");
	ra_jsonw_open(&json, '[');
	for (size_t i = 0; i < ranks->count; i++) {
		put_file(&json, ranks, i);
	}
	ra_jsonw_close(&json, ']');
	ra_jsonw_key(&json, "attributes");
	ra_jsonw_open(&json, '{');
	put_attributes(&json, ranks);
	ra_jsonw_close(&json, '}');
	ra_jsonw_close(&json, '}');
	ra_jsonw_close(&json, '}');
	ra_jsonw_newline(&json);
}

/* A file of the archive and its source. */
struct member {
	const struct ra_ranks *ranks;
	size_t index;                 /* index of the input … */
	const struct ra_model *model; /* … and its model; NULL: the manifest */
	const struct ra_out_options *options;
};

static void put(const struct member *member, struct ra_outbuf *out)
{
	if (member->model == NULL) {
		put_manifest(member->ranks, out);
	} else {
		ra_out_ranks_draw(member->ranks, member->index, member->model, member->options,
		                  out);
	}
}

static void drop(void *context, const char *bytes, size_t count)
{
	(void) context;
	(void) bytes;
	(void) count;
}

/* Adds a file to the archive. Its length comes before its contents, so it is written twice: the
 * first time only to count its bytes. */
static void add_member(const struct member *member, const char *name, struct ra_outbuf *out)
{
	struct ra_outbuf counting;
	uint64_t size;

	ra_outbuf_init(&counting, -1, false);
	counting.take = drop;
	put(member, &counting);
	ra_outbuf_flush(&counting);
	size = counting.flushed_bytes;
	ra_outbuf_fini(&counting);
	ra_tar_begin(out, name, size);
	put(member, out);
	ra_tar_end(out, size);
}

int ra_out_ranks_archive(const struct ra_ranks *ranks, const struct ra_load_options *load,
                         const struct ra_out_options *options, struct ra_outbuf *out,
                         const char **failed, struct rlog_error *err)
{
	struct member member = { .ranks = ranks, .options = options };
	int rc = 0;

	add_member(&member, "perfetto_manifest.json", out);
	for (size_t i = 0; i < ranks->count && rc == 0; i++) {
		struct ra_model *model = NULL;
		char name[NAME_BYTES];

		*failed = ranks->inputs[i].path;
		rc = ra_load_file(&model, ranks->inputs[i].path, load, err);
		if (rc == 0) {
			name_file(name, ranks, i);
			member.index = i;
			member.model = model;
			add_member(&member, name, out);
		}
		ra_model_destroy(model);
	}
	ra_tar_finish(out);
	return rc;
}
