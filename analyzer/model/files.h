/* SPDX-License-Identifier: MIT */
/* The input files of a report: one file, or several ranks of a run. */
#ifndef RA_FILES_H
#define RA_FILES_H

#include "analyzer/model/model.h"

/* The input files. All members are borrowed. */
struct ra_files {
	const struct ra_model *model; /* the first file's model */
	/* the models of all files, by rank; NULL: there is only one file */
	struct ra_model *const *models;
	const int64_t *ranks; /* rank numbers of the files; NULL: 0, 1, … */
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
