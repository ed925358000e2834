/* SPDX-License-Identifier: MIT */
/* The input files of a report: one, or several ranks of a run. */
#ifndef RA_FILES_H
#define RA_FILES_H

#include "analyzer/model/model.h"

/* Everything is borrowed. */
struct ra_files {
	const struct ra_model *model;   /* the first one, or the only one */
	struct ra_model *const *models; /* all of them, by rank; NULL: there is only one */
	const int64_t *ranks;           /* their rank numbers; NULL: 0, 1, … */
	size_t model_count;
};

static inline size_t ra_files_count(const struct ra_files *files)
{
	return files->models != NULL ? files->model_count : 1;
}

static inline const struct ra_model *ra_files_model(const struct ra_files *files, size_t index)
{
	return files->models != NULL ? files->models[index] : files->model;
}

static inline int64_t ra_files_rank(const struct ra_files *files, size_t index)
{
	return files->ranks != NULL ? files->ranks[index] : (int64_t) index;
}

#endif
