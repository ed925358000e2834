/* SPDX-License-Identifier: MIT */
/* Labels: what tables call ranges, operators and kernels. The label of a name is found once; names
 * with the same label share a row. */
#ifndef RA_LABELS_H
#define RA_LABELS_H

#include <stdbool.h>

#include "analyzer/names/kernel-name.h"
#include "analyzer/model/model.h"
#include "analyzer/names/rename.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-text.h"

struct ra_labels_options {
	bool is_raw; /* names as they were recorded, not as ra_split_put_normal() has them */
	const struct ra_rename *rename; /* borrowed; applied to that; NULL: none */
	bool merges_numbers; /* names that differ only by a number have one label, "step # × 20" */
	bool with_shapes;    /* names with other sizes of inputs have other labels */
	bool is_kernels;     /* names are those of kernels, labels in a form of these; */
	enum ra_kernel_form kernel_form; /* the options above then say nothing */
};

struct ra_labels_entry;

/* Opaque but for its size. */
struct ra_labels {
	const struct ra_model *model; /* borrowed */
	struct ra_labels_options options;
	uint32_t *of_name;   /* owned: by name of the model, RA_NONE if it was not asked for yet */
	uint32_t *of_single; /* owned: likewise as it was before merges_numbers; NULL: the same */
	size_t name_count;   /* of of_name */
	size_t single_count; /* of of_single */
	uint64_t seed;       /* of hashes */
	struct ra_labels_entry *entries; /* owned: by label */
	size_t count;
	size_t capacity;
	uint64_t changed;           /* names whose label is not what was recorded */
	uint64_t merged;            /* labels of which merges_numbers made fewer */
	struct ra_util_map by_hash; /* hash of a label's texts → the newest label that has it */
	struct ra_util_text text;   /* a normal name, and one that a user's rules made of it */
	struct ra_util_text renamed;
};

void ra_labels_init(struct ra_labels *labels, const struct ra_model *model,
                    const struct ra_labels_options *options);
void ra_labels_fini(struct ra_labels *labels);

/* Makes room for the names that the model has got since; merges_numbers knows nothing of them. */
void ra_labels_reserve(struct ra_labels *labels);

/*
 * The label of a name of the model. Names with equal texts have one label; ranges without a name,
 * and lost names, have one each that no text shares.
 *
 * @labels: NULL: names are labels.
 */
uint32_t ra_labels_find(struct ra_labels *labels, uint32_t name);

/* The same of a single thing, whose own number is told: merges_numbers does not count. */
uint32_t ra_labels_find_single(struct ra_labels *labels, uint32_t name);

/* Gives these names of the model (@is_one: by name) one label of this text, which is copied. */
void ra_labels_share(struct ra_labels *labels, struct rlog_string text, const bool *is_one);

/* The texts of a label that ra_labels_find() gave; they live as long as the labels. */
struct rlog_string ra_labels_name(const struct ra_labels *labels, uint32_t label);
struct rlog_string ra_labels_shape(const struct ra_labels *labels, uint32_t label);

/*
 * Appends a line for people if names that were asked for have other labels: how many, and how to
 * see them.
 */
void ra_labels_put_note(struct ra_util_text *text, const struct ra_labels *labels);

/* The words for --names: that at index 1 means is_raw; ends with NULL. */
extern const char *const ra_labels_words[];

#endif
