/* SPDX-License-Identifier: MIT */
/* Labels: the names of ranges, operators and kernels in tables. A name's label is found once; names
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
	bool is_raw;                    /* names as recorded, not as by ra_split_put_normal() */
	const struct ra_rename *rename; /* borrowed; rules applied after that; NULL: none */
	bool merges_numbers; /* names that differ only by a number share a label, "step # × 20" */
	bool omits_counts;   /* … as "step #" alone: labels of several inputs are compared, and
	                        each may have another number of steps */
	bool joins_numbers;  /* names that only differ by numbers are all joined as "step #",
	                        whatever has the names, until it is known which names ranges have,
	                        and in which domains */
	bool with_shapes;    /* names with different input sizes have different labels */
	bool is_kernels;     /* the names are of kernels, and labels are a form of these; */
	enum ra_kernel_form kernel_form; /* the options above are then ignored */
};

struct ra_labels_entry;

/* Opaque, but with a known size. */
struct ra_labels {
	const struct ra_model *model; /* borrowed */
	struct ra_labels_options options;
	uint32_t *of_name; /* owned: by name of the model: its label; RA_NONE: not asked for yet */
	uint32_t
		*of_single; /* owned; by name: its label without merges_numbers; NULL: as of_name */
	size_t name_count;  /* entries in of_name */
	size_t single_count;             /* entries in of_single */
	uint64_t seed;                   /* seed of the hashes */
	struct ra_labels_entry *entries; /* owned: by label */
	size_t count;
	size_t capacity;
	uint64_t changed;           /* names whose label differs from what was recorded */
	uint64_t merged;            /* labels that merges_numbers merged into fewer */
	struct ra_util_map by_hash; /* hash of a label's texts → the newest label with it */
	struct ra_util_text text;   /* scratch: a normal name, or a renamed one */
	struct ra_util_text renamed;
	struct ra_util_text joined; /* … or with # in place of its numbers */
};

void ra_labels_init(struct ra_labels *labels, const struct ra_model *model,
                    const struct ra_labels_options *options);

/*
 * Makes labels with merges_numbers for ranges that the model does not hold. @domains: by name of
 * the model: the domain of its ranges + 1; 0: it has none; RA_NONE: several.
 */
void ra_labels_init_merged(struct ra_labels *labels, const struct ra_model *model,
                           const struct ra_labels_options *options, const uint32_t *domains);

void ra_labels_fini(struct ra_labels *labels);

/* Makes room for names that the model got since the init; merges_numbers ignores those. */
void ra_labels_reserve(struct ra_labels *labels);

/*
 * The label of a name of the model. Names with equal texts share a label. Ranges without a name,
 * and lost names, have a label each that no text shares.
 *
 * @labels: NULL: the label is the name itself.
 */
uint32_t ra_labels_find(struct ra_labels *labels, uint32_t name);

/* Finds the label of a single thing that must keep its own number: merges_numbers is ignored. */
uint32_t ra_labels_find_single(struct ra_labels *labels, uint32_t name);

/* Gives all names of the model for which @is_one is true one label with this text, which is
 * copied. */
void ra_labels_share(struct ra_labels *labels, struct rlog_string text, const bool *is_one);

/* The texts of a label that ra_labels_find() returned. They live as long as the labels. */
struct rlog_string ra_labels_name(const struct ra_labels *labels, uint32_t label);
struct rlog_string ra_labels_shape(const struct ra_labels *labels, uint32_t label);

/*
 * Appends a line for people if some names have other labels: how many, and how to see the names.
 */
void ra_labels_put_note(struct ra_util_text *text, const struct ra_labels *labels);

/* The values of --names; index 1 means is_raw; ends with NULL. */
extern const char *const ra_labels_words[];

#endif
