/* SPDX-License-Identifier: MIT */
/* Labels: the names of ranges, operators and kernels in tables. The label of a name is made once;
 * names with the same label share a row. */
#ifndef RA_LABELS_H
#define RA_LABELS_H

#include <stdbool.h>

#include "analyzer/names/kernel-name.h"
#include "analyzer/model/model.h"
#include "analyzer/names/rename.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-text.h"

struct ra_labels_options {
	bool is_raw; /* labels are names as recorded, not changed by ra_split_put_normal() */
	const struct ra_rename *rename; /* borrowed; rules applied after that change; NULL: none */
	/* names that differ only by a number share a label, such as "step # × 20" */
	bool merges_numbers;
	/* such a label is "step #", without the count: labels of several inputs are compared, and
	 * their numbers of steps may differ */
	bool omits_counts;
	bool joins_numbers; /* at first, all names that differ only by numbers share the label "step
	                       #", whatever they are names of. Used until the caller knows which
	                       names ranges have, and in which domains */
	bool with_shapes;   /* names with different input sizes have different labels */
	bool is_kernels;    /* the names are of kernels; labels have the form … */
	enum ra_kernel_form kernel_form; /* … kernel_form, and the other options are ignored */
};

struct ra_labels_entry;

/* Not for access from outside; public only because callers need its size. */
struct ra_labels {
	const struct ra_model *model; /* borrowed */
	struct ra_labels_options options;
	uint32_t *of_name; /* owned: by name of the model: its label; RA_NONE: not made yet */
	uint32_t
		/* owned; by name: its label if merges_numbers were not set; NULL: see of_name */
		*of_single;
	size_t name_count;               /* number of entries in of_name */
	size_t single_count;             /* number of entries in of_single */
	uint64_t seed;                   /* seed of the hashes */
	struct ra_labels_entry *entries; /* owned; one entry for each label */
	size_t count;
	size_t capacity;
	uint64_t changed;           /* number of names whose label differs from the recorded name */
	uint64_t merged;            /* number of labels that merges_numbers merged */
	struct ra_util_map by_hash; /* hash of a label's texts → the newest label with that hash */
	struct ra_util_text text;   /* scratch: a normal name … */
	struct ra_util_text renamed;
	struct ra_util_text joined; /* … or that name with # in place of its numbers */
};

void ra_labels_init(struct ra_labels *labels, const struct ra_model *model,
                    const struct ra_labels_options *options);

/*
 * Makes labels with merges_numbers for ranges that the model does not hold. @domains: by name of
 * the model: the domain of the ranges with that name + 1; 0: no range has it; RA_NONE: ranges of
 * several domains have it.
 */
void ra_labels_init_merged(struct ra_labels *labels, const struct ra_model *model,
                           const struct ra_labels_options *options, const uint32_t *domains);

void ra_labels_fini(struct ra_labels *labels);

/* Makes room for the names that were added to the model since the labels were made; merges_numbers
 * ignores these names. */
void ra_labels_reserve(struct ra_labels *labels);

/*
 * The label of a name of the model. Names with equal texts share a label. Ranges without a name
 * share one label; each lost name has a label that no text shares.
 *
 * @labels: may be NULL: then the label is the name's index.
 */
uint32_t ra_labels_find(struct ra_labels *labels, uint32_t name);

/* Finds the label of one particular item, whose own number must be visible: merges_numbers is
 * ignored. */
uint32_t ra_labels_find_single(struct ra_labels *labels, uint32_t name);

/* Gives one label with this text to all names of the model for which @is_one is true. The text is
 * copied. */
void ra_labels_share(struct ra_labels *labels, struct rlog_string text, const bool *is_one);

/* The texts of a label that ra_labels_find() returned. They live as long as the labels. */
struct rlog_string ra_labels_name(const struct ra_labels *labels, uint32_t label);
struct rlog_string ra_labels_shape(const struct ra_labels *labels, uint32_t label);

/*
 * Appends a line for people if the labels of some names differ from the names: how many, and how to
 * see the names.
 */
void ra_labels_put_note(struct ra_util_text *text, const struct ra_labels *labels);

/* The values of the option --names; index 1 means is_raw; ends with NULL. */
extern const char *const ra_labels_words[];

#endif
