/* SPDX-License-Identifier: MIT */
/* Makes labels: the names of ranges in tables. A label's text is made when the label of a name is
 * first asked for, and stored once. */
#include "analyzer/names/labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/names/split.h"
#include "analyzer/base/util.h"
#include "format/options/numbers.h"

const char *const ra_labels_words[] = { "normal", "raw", NULL };

struct ra_labels_entry {
	struct rlog_string name;
	struct rlog_string shape;
	char *made;    /* owned: bytes of the name; NULL: they are the model's */
	uint32_t next; /* next label with the same hash, RA_NONE: there is none */
};

static void start(struct ra_labels *labels, const struct ra_model *model,
                  const struct ra_labels_options *options)
{
	*labels = (struct ra_labels){ .model = model, .options = *options };
	ra_labels_reserve(labels);
	labels->seed = (uint64_t) (uintptr_t) labels->of_name;
}

void ra_labels_reserve(struct ra_labels *labels)
{
	const size_t count = labels->model->name_count + 1;

	if (count > labels->name_count) {
		ra_util_resize(&labels->of_name, count, sizeof(*labels->of_name));
		memset(labels->of_name + labels->name_count, 0xFF,
		       (count - labels->name_count) * sizeof(*labels->of_name));
		labels->name_count = count;
	}
}

void ra_labels_fini(struct ra_labels *labels)
{
	for (size_t i = 0; i < labels->count; i++) {
		free(labels->entries[i].made);
	}
	free(labels->entries);
	free(labels->of_name);
	free(labels->of_single);
	ra_util_map_free(&labels->by_hash);
	ra_util_text_free(&labels->text);
	ra_util_text_free(&labels->renamed);
	ra_util_text_free(&labels->joined);
	memset(labels, 0, sizeof(*labels));
}

static uint32_t add_label(struct ra_labels *labels, struct rlog_string name,
                          struct rlog_string shape)
{
	RA_UTIL_APPEND(labels->entries, labels->count, labels->capacity,
	               (struct ra_labels_entry){ .name = name, .shape = shape, .next = RA_NONE });
	return (uint32_t) labels->count - 1;
}

/* Gives the label a copy of its name. */
static void keep_name(struct ra_labels *labels, uint32_t label)
{
	struct ra_labels_entry *entry = &labels->entries[label];

	entry->made = ra_alloc_bytes((size_t) entry->name.length + 1);
	if (entry->name.length > 0) {
		memcpy(entry->made, entry->name.bytes, entry->name.length);
	}
	entry->name.bytes = entry->made;
}

/* @is_made: the bytes are not the model's, so they must be copied. */
static uint32_t find_label(struct ra_labels *labels, struct rlog_string name,
                           struct rlog_string shape, bool is_made)
{
	const uint64_t hash =
		ra_util_string_hash_seeded(shape, ra_util_string_hash_seeded(name, labels->seed));
	const uint32_t newest = ra_util_map_find(&labels->by_hash, hash);
	uint32_t label;

	for (label = newest; label != RA_NONE; label = labels->entries[label].next) {
		if (ra_util_string_is_same(labels->entries[label].name, name) &&
		    ra_util_string_is_same(labels->entries[label].shape, shape)) {
			return label;
		}
	}
	label = add_label(labels, name, shape);
	if (is_made) {
		keep_name(labels, label);
	}
	labels->entries[label].next = newest;
	ra_util_map_put(&labels->by_hash, hash, label);
	return label;
}

static struct rlog_string read_text(const struct ra_util_text *text)
{
	const uint32_t length = (uint32_t) text->length;
	const struct rlog_string string = { text->bytes, length, length };

	return string;
}

/* Appends a name with its numbers replaced by #. Return: true if the name has numbers. */
static bool put_pattern(struct ra_util_text *text, struct rlog_string name)
{
	const size_t start = text->length;
	size_t written;
	bool has_numbers;

	/* makes room for a pattern of any length up to the name's */
	ra_util_text_fill(text, '#', name.length);
	has_numbers = rlog_numbers_replace(name.bytes, name.length, text->bytes + start, &written);
	text->length = start + written;
	return has_numbers;
}

static uint32_t make_label(struct ra_labels *labels, struct rlog_string raw)
{
	struct rlog_string shape = { "", 0, 0 };
	struct rlog_string name = raw;
	bool is_made = false;
	struct ra_split split;

	if (labels->options.is_kernels) {
		ra_util_text_clear(&labels->text);
		ra_kernel_name_put(&labels->text, raw, labels->options.kernel_form);
		return find_label(labels, read_text(&labels->text), shape, true);
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
	if (is_made) {
		name = read_text(&labels->text);
		labels->changed += !ra_util_string_is_same(name, raw);
	}
	if (labels->options.rename != NULL &&
	    ra_rename_apply(labels->options.rename, name, &labels->renamed)) {
		name = read_text(&labels->renamed);
		is_made = true;
	}
	if (labels->options.joins_numbers) {
		ra_util_text_clear(&labels->joined);
		if (put_pattern(&labels->joined, name)) {
			return find_label(labels, read_text(&labels->joined), shape, true);
		}
	}
	return find_label(labels, name, shape, is_made);
}

uint32_t ra_labels_find(struct ra_labels *labels, uint32_t name)
{
	struct rlog_string raw;

	if (labels == NULL || labels->of_name[name] != RA_NONE) {
		return labels == NULL ? name : labels->of_name[name];
	}
	raw = ra_model_string(labels->model, name);
	labels->of_name[name] = name == 0 || name >= labels->model->string_count
	                                ? add_label(labels, raw, (struct rlog_string){ "", 0, 0 })
	                                : make_label(labels, raw);
	return labels->of_name[name];
}

uint32_t ra_labels_find_single(struct ra_labels *labels, uint32_t name)
{
	return labels == NULL || labels->of_single == NULL || name >= labels->single_count ||
	                       labels->of_single[name] == RA_NONE
	               ? ra_labels_find(labels, name)
	               : labels->of_single[name];
}

void ra_labels_share(struct ra_labels *labels, struct rlog_string text, const bool *is_one)
{
	const uint32_t label = find_label(labels, text, (struct rlog_string){ "", 0, 0 }, true);

	for (size_t name = 0; name < labels->model->name_count; name++) {
		if (is_one[name]) {
			labels->of_name[name] = label;
		}
	}
}

/* State for merging the labels of names that differ only by numbers. */
struct merging {
	struct ra_labels *labels;
	struct ra_labels patterns; /* each with one domain, because a label's ranges have one */
	const uint32_t *domains;   /* borrowed; see ra_labels_init_merged() */
	uint32_t *of_label;        /* owned; by label: its pattern; RA_NONE: none */
	uint32_t *counts;          /* owned; by pattern: number of labels with it … */
	uint32_t *merged; /* owned; … and the label that replaces these; RA_NONE: not made yet */
};

/* Finds the domain of each name's ranges, among the ranges that the model holds. */
static void find_domains(const struct ra_model *model, uint32_t *domains)
{
	const struct ra_slices *s = &model->slices;

	for (size_t i = 0; i < s->count; i++) {
		uint32_t *domain = &domains[s->name[i]];

		if (*domain != s->domain[i] + 1u) {
			*domain = *domain == 0 ? s->domain[i] + 1u : RA_NONE;
		}
	}
}

static void find_pattern(struct merging *m, uint32_t label, uint32_t domain)
{
	const struct ra_model *model = m->labels->model;
	struct ra_util_text *text = &m->patterns.text;
	uint32_t pattern;

	ra_util_text_clear(text);
	if (!put_pattern(text, m->labels->entries[label].name)) {
		return;
	}
	pattern = find_label(&m->patterns, read_text(text),
	                     ra_model_string(model, model->domains[domain].name), true);
	m->of_label[label] = pattern;
	m->counts[pattern]++;
}

/* Finds the labels of all names of ranges, and their patterns. */
static void find_patterns(struct merging *m)
{
	const size_t count = m->labels->model->name_count;

	for (size_t name = 0; name < count; name++) {
		const uint32_t label = m->domains[name] == 0
		                               ? RA_NONE
		                               : ra_labels_find(m->labels, (uint32_t) name);

		if (label != RA_NONE && m->domains[name] != RA_NONE &&
		    m->of_label[label] == RA_NONE) {
			find_pattern(m, label, m->domains[name] - 1);
		}
	}
}

/* Gives a name the label of its pattern, if several labels have the pattern. */
static void put_merged(struct merging *m, uint32_t *of_name)
{
	struct ra_labels *labels = m->labels;
	const uint32_t pattern = m->of_label[*of_name];
	struct ra_util_text *text = &labels->text;

	if (pattern == RA_NONE || m->patterns.entries == NULL || m->counts[pattern] < 2) {
		return;
	}
	if (m->merged[pattern] == RA_NONE) {
		const struct rlog_string name = m->patterns.entries[pattern].name;

		ra_util_text_clear(text);
		ra_util_text_put(text, name.bytes, name.length);
		if (!labels->options.omits_counts) {
			ra_util_text_format(text, " × %" PRIu32, m->counts[pattern]);
		}
		m->merged[pattern] =
			add_label(labels, read_text(text), (struct rlog_string){ "", 0, 0 });
		labels->merged += m->counts[pattern];
		keep_name(labels, m->merged[pattern]);
	}
	*of_name = m->merged[pattern];
}

static void merge_numbers(struct ra_labels *labels, const uint32_t *domains)
{
	static const struct ra_labels_options plain = { 0 };
	const size_t count = labels->model->name_count;
	struct merging m = {
		.labels = labels,
		.domains = domains,
		.of_label = ra_alloc_bytes((count + 1) * sizeof(*m.of_label)),
		.counts = ra_alloc_zeros(count + 1, sizeof(*m.counts)),
		.merged = ra_alloc_bytes((count + 1) * sizeof(*m.merged)),
	};

	start(&m.patterns, labels->model, &plain);
	memset(m.of_label, 0xFF, (count + 1) * sizeof(*m.of_label));
	memset(m.merged, 0xFF, (count + 1) * sizeof(*m.merged));
	find_patterns(&m);
	labels->single_count = count;
	labels->of_single = ra_alloc_bytes((count + 1) * sizeof(*labels->of_single));
	memcpy(labels->of_single, labels->of_name, count * sizeof(*labels->of_single));
	for (size_t name = 0; name < count; name++) {
		if (m.domains[name] != 0) {
			put_merged(&m, &labels->of_name[name]);
		}
	}
	ra_labels_fini(&m.patterns);
	free(m.of_label);
	free(m.counts);
	free(m.merged);
}

void ra_labels_init(struct ra_labels *labels, const struct ra_model *model,
                    const struct ra_labels_options *options)
{
	uint32_t *domains;

	start(labels, model, options);
	if (options->merges_numbers) {
		domains = ra_alloc_zeros(model->name_count + 1, sizeof(*domains));
		find_domains(model, domains);
		merge_numbers(labels, domains);
		free(domains);
	}
}

void ra_labels_init_merged(struct ra_labels *labels, const struct ra_model *model,
                           const struct ra_labels_options *options, const uint32_t *domains)
{
	start(labels, model, options);
	merge_numbers(labels, domains);
}

struct rlog_string ra_labels_name(const struct ra_labels *labels, uint32_t label)
{
	return label < labels->count ? labels->entries[label].name : ra_util_string("");
}

struct rlog_string ra_labels_shape(const struct ra_labels *labels, uint32_t label)
{
	return label < labels->count ? labels->entries[label].shape : ra_util_string("");
}

void ra_labels_put_note(struct ra_util_text *text, const struct ra_labels *labels)
{
	if (labels->merged > 0) {
		ra_util_text_format(text, "names: ");
		ra_util_text_put_count(text, labels->merged);
		ra_util_text_format(text, " differ only by a number and share rows, with # in "
		                          "its place; --names raw shows them\n");
	}
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
