/* SPDX-License-Identifier: MIT */
/* Labels: what tables call ranges. Texts are made when a name is asked for, and kept once each. */
#include "analyzer/names/labels.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/names/split.h"
#include "analyzer/base/util.h"
#include "format/error.h"

const char *const ra_labels_words[] = { "normal", "raw", NULL };

struct ra_labels_entry {
	struct rlog_string name;
	struct rlog_string shape;
	char *made;    /* owned: the bytes of the name if they are not the model's */
	uint32_t next; /* label of the same hash, RA_NONE at the end */
};

int ra_labels_init(struct ra_labels *labels, const struct ra_model *model,
                   const struct ra_labels_options *options)
{
	*labels = (struct ra_labels){ .model = model, .options = *options };
	labels->of_name = malloc((model->name_count + 1) * sizeof(*labels->of_name));
	if (labels->of_name == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	memset(labels->of_name, 0xFF, (model->name_count + 1) * sizeof(*labels->of_name));
	return 0;
}

void ra_labels_fini(struct ra_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++) {
		free(labels->entries[i].made);
	}
	free(labels->entries);
	free(labels->of_name);
	ra_util_map_free(&labels->by_hash);
	ra_util_text_free(&labels->text);
	ra_util_text_free(&labels->renamed);
	memset(labels, 0, sizeof(*labels));
}

/* Both halves of the product of two 64-bit numbers, mixed. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	const unsigned __int128 product = (unsigned __int128) a * b;

	return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* Seeded with an address, as names may come from a hostile file; never seen outside. */
static uint64_t hash_text(const struct ra_labels *labels, struct rlog_string text, uint64_t hash)
{
	const uint64_t seed = (uint64_t) (uintptr_t) labels->of_name;
	uint64_t word;

	for (size_t i = 0; i < text.length; i += sizeof(word)) {
		const size_t left = text.length - i;

		word = 0;
		memcpy(&word, text.bytes + i, left < sizeof(word) ? left : sizeof(word));
		hash = mix(hash ^ word, seed ^ UINT64_C(0x9E3779B97F4A7C15));
	}
	return mix(hash ^ text.length, seed ^ UINT64_C(0xBF58476D1CE4E5B9));
}

static bool is_same(struct rlog_string a, struct rlog_string b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* Return: 0, -RLOG_E_NO_MEMORY. */
static int add_label(struct ra_labels *labels, struct rlog_string name, struct rlog_string shape,
                     uint32_t *label)
{
	const int rc = ra_util_grow(&labels->entries, &labels->capacity, labels->count + 1,
	                            sizeof(*labels->entries));

	if (rc == 0) {
		*label = (uint32_t) labels->count++;
		labels->entries[*label] =
			(struct ra_labels_entry){ .name = name, .shape = shape, .next = RA_NONE };
	}
	return rc;
}

/* The label gets a copy of its name. */
static int keep_name(struct ra_labels *labels, uint32_t label)
{
	struct ra_labels_entry *entry = &labels->entries[label];

	entry->made = malloc((size_t) entry->name.length + 1);
	if (entry->made == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	if (entry->name.length > 0) {
		memcpy(entry->made, entry->name.bytes, entry->name.length);
	}
	entry->name.bytes = entry->made;
	return 0;
}

/* @is_made: the name's bytes are not the model's. */
static int find_label(struct ra_labels *labels, struct rlog_string name, struct rlog_string shape,
                      bool is_made, uint32_t *label)
{
	const uint64_t hash = hash_text(labels, shape, hash_text(labels, name, 0));
	const uint32_t newest = ra_util_map_find(&labels->by_hash, hash);
	int rc;

	for (*label = newest; *label != RA_NONE; *label = labels->entries[*label].next) {
		if (is_same(labels->entries[*label].name, name) &&
		    is_same(labels->entries[*label].shape, shape)) {
			return 0;
		}
	}
	rc = add_label(labels, name, shape, label);
	if (rc == 0 && is_made) {
		rc = keep_name(labels, *label);
	}
	if (rc == 0) {
		labels->entries[*label].next = newest;
		rc = ra_util_map_put(&labels->by_hash, hash, *label);
	}
	return rc;
}

static struct rlog_string read_text(const struct ra_util_text *text)
{
	const uint32_t length = (uint32_t) text->length;
	const struct rlog_string string = { text->bytes, length, length };

	return string;
}

static int make_label(struct ra_labels *labels, struct rlog_string raw, uint32_t *label)
{
	struct rlog_string shape = { "", 0, 0 };
	struct rlog_string name = raw;
	bool is_made = false;
	struct ra_split split;

	if (labels->options.is_kernels) {
		ra_util_text_clear(&labels->text);
		ra_kernel_name_put(&labels->text, raw, labels->options.kernel_form);
		return labels->text.failed
		               ? -RLOG_E_NO_MEMORY
		               : find_label(labels, read_text(&labels->text), shape, true, label);
	}
	if ((!labels->options.is_raw || labels->options.with_shapes) && raw.length > 0 &&
	    ra_split_name(raw, &split)) {
		if (labels->options.with_shapes) {
			shape = ra_split_find_shape(&split);
		}
		if (!labels->options.is_raw) {
			ra_util_text_clear(&labels->text);
			ra_split_put_normal(&labels->text, &split);
			is_made = true;
		}
	}
	if (labels->text.failed) {
		return -RLOG_E_NO_MEMORY;
	}
	if (is_made) {
		name = read_text(&labels->text);
		labels->changed += !is_same(name, raw);
	}
	if (labels->options.rename != NULL) {
		const int rc = ra_rename_apply(labels->options.rename, name, &labels->renamed);

		if (rc < 0) {
			return rc;
		}
		if (rc == 1) {
			name = read_text(&labels->renamed);
			is_made = true;
		}
	}
	return find_label(labels, name, shape, is_made, label);
}

int ra_labels_find(struct ra_labels *labels, uint32_t name, uint32_t *label)
{
	const struct ra_model *model = labels->model;
	const struct rlog_string raw = ra_model_string(model, name);
	int rc;

	*label = labels->of_name[name];
	if (*label != RA_NONE) {
		return 0;
	}
	if (name == 0 || name >= model->string_count) {
		rc = add_label(labels, raw, (struct rlog_string){ "", 0, 0 }, label);
	} else {
		rc = make_label(labels, raw, label);
	}
	if (rc == 0) {
		labels->of_name[name] = *label;
	}
	return rc;
}

struct rlog_string ra_labels_name(const struct ra_labels *labels, uint32_t label)
{
	return labels->entries[label].name;
}

struct rlog_string ra_labels_shape(const struct ra_labels *labels, uint32_t label)
{
	return labels->entries[label].shape;
}

void ra_labels_put_note(struct ra_util_text *text, const struct ra_labels *labels)
{
	if (labels->changed == 0) {
		return;
	}
	ra_util_text_format(text, "names: ");
	ra_util_text_put_count(text, labels->changed);
	ra_util_text_format(text, labels->changed == 1
	                                  ? " is shown without its arguments; --names raw shows it"
	                                  : " are shown without their arguments; --names raw shows "
	                                    "them");
	ra_util_text_put_char(text, '\n');
}
