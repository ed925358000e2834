/* SPDX-License-Identifier: MIT */
/* Finds the rows that a model's slices and GPU operations were made from, if it was made from a
 * trace. Other models have no rows, but the caller need not check for that. */
#ifndef RA_MODEL_ROWS_H
#define RA_MODEL_ROWS_H

#include "analyzer/model/model.h"
#include "analyzer/rows/kineto.h"

/*
 * The row of a slice; RA_KINETO_NONE if the model has no rows. With RA_KINETO_NONE as row, the
 * getters of kineto.h find nothing, even if model->kineto is NULL. All functions here take O(1)
 * time.
 */
static inline uint32_t ra_model_rows_find_slice(const struct ra_model *model, uint32_t slice)
{
	return ra_model_has(model, RA_HAS_ROWS) && slice != RA_NONE
	               ? model->kineto->slice_event[slice]
	               : RA_KINETO_NONE;
}

/* Returns the row of an operation, by its index in gpu.ops. */
static inline uint32_t ra_model_rows_find_op(const struct ra_model *model, size_t op)
{
	return ra_model_has(model, RA_HAS_ROWS) ? model->kineto->op_event[op] : RA_KINETO_NONE;
}

/* The number of rows of a kind. */
static inline uint64_t ra_model_rows_count(const struct ra_model *model, enum ra_kineto_kind kind)
{
	return ra_model_has(model, RA_HAS_ROWS) ? model->kineto->kind_count[kind] : 0;
}

/* The text of an arg of a row; empty if it has none. */
static inline struct rlog_string ra_model_rows_text(const struct ra_model *model, uint32_t row,
                                                    enum ra_kineto_key key)
{
	return row == RA_KINETO_NONE
	               ? (struct rlog_string){ "", 0, 0 }
	               : ra_kineto_string(model->kineto,
	                                  ra_kineto_get_text(model->kineto, row, key));
}

/* True for a slice that a framework calls an operator. True for every slice if the model does not
 * tell operators from other ranges. */
static inline bool ra_model_rows_is_operator(const struct ra_model *model, uint32_t slice)
{
	return !ra_model_has(model, RA_HAS_OPERATORS) ||
	       model->kineto->kind[model->kineto->slice_event[slice]] == RA_KINETO_CPU_OP;
}

#endif
