/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: StringIds. */
#include <stdlib.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/write-sqlite/sqlite.h"

static uint64_t hash_text(struct rlog_string text)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325);

	for (uint32_t i = 0; i < text.length; i++) {
		hash = (hash ^ (unsigned char) text.bytes[i]) * UINT64_C(0x100000001B3);
	}
	return hash;
}

static void keep(struct ra_sqlite_texts *texts, struct rlog_string text, uint64_t key)
{
	text.bytes = ra_util_copy(text.bytes, text.length);
	RA_UTIL_APPEND(texts->texts, texts->count, texts->capacity, text);
	ra_util_map_put(&texts->by_hash, key, (uint32_t) texts->count - 1);
}

int64_t ra_sqlite_texts_add(struct ra_sqlite *sqlite, struct rlog_string text)
{
	struct ra_sqlite_texts *texts = &sqlite->texts;
	uint64_t key = hash_text(text);
	uint32_t id;

	for (;; key++) {
		id = ra_util_map_find(&texts->by_hash, key);
		if (id == RA_UTIL_MAP_NONE) {
			break;
		}
		if (ra_util_string_is_same(texts->texts[id], text)) {
			return id;
		}
	}
	keep(texts, text, key);
	id = (uint32_t) texts->count - 1;
	ra_sqlite_table_set_text(&texts->table, 1, texts->texts[id]);
	ra_sqlite_table_add(&texts->table, &(int64_t){ id }, 1);
	return id;
}

int64_t ra_sqlite_texts_of_name(struct ra_sqlite *sqlite, uint32_t name)
{
	static const struct rlog_string empty = { "", 0, 0 };
	uint32_t *known = &sqlite->texts.of_name[name];

	if (*known == 0) {
		*known = 1 +
		         (uint32_t) ra_sqlite_texts_add(
				 sqlite, name == 0 ? empty : ra_model_string(sqlite->model, name));
	}
	return *known - 1;
}

int64_t ra_sqlite_texts_of_label(struct ra_sqlite *sqlite, uint32_t name)
{
	struct ra_labels *labels = &sqlite->labels;
	uint32_t *known = &sqlite->texts.of_label[name];

	if (*known == 0) {
		*known = 1 + (uint32_t) ra_sqlite_texts_add(
				     sqlite, ra_labels_name(labels, ra_labels_find(labels, name)));
	}
	return *known - 1;
}

void ra_sqlite_texts_fini(struct ra_sqlite_texts *texts)
{
	ra_sqlite_table_close(&texts->table); /* it inserts texts, which are freed below */
	for (size_t i = 0; i < texts->count; i++) {
		free((char *) texts->texts[i].bytes);
	}
	free(texts->texts);
	free(texts->of_name);
	free(texts->of_label);
	ra_util_map_free(&texts->by_hash);
}
