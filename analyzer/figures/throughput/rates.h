/* SPDX-License-Identifier: MIT */
/* Computes the rate of work, and its share of the device's peak. */
#ifndef RA_RATES_H
#define RA_RATES_H

#include "analyzer/figures/throughput/works.h"
#include "analyzer/names/labels.h"
#include "analyzer/table/table.h"

/* A sum of work and the GPU time that it took. Zero-initialise. */
struct ra_rate {
	double flops;
	double bytes;
	double both_flops; /* operations and bytes of work for which both are known */
	double both_bytes;
	double peak_flops; /* operations that the devices could have done in the time of the
	                      flops */
	double peak_bytes;
	int64_t flops_ns;
	int64_t bytes_ns;
	bool lacks_flops; /* the peak of some of the work is not known */
	bool lacks_bytes;
};

/* Columns for rates; each table chooses their place. */
enum ra_rate_column {
	RA_RATE_FLOPS,
	RA_RATE_FLOPS_PER_S,
	RA_RATE_FLOPS_SHARE,
	RA_RATE_BYTES_PER_S,
	RA_RATE_BYTES_SHARE,
	RA_RATE_INTENSITY,
	RA_RATE_COLUMNS
};

/* Initializers of these columns, from index `first` on. */
#define RA_RATE_TABLE_COLUMNS(first)                                                               \
	[(first) + RA_RATE_FLOPS] = { "flops", "FLOPs", RA_TABLE_FLOPS, NULL },                    \
		   [(first) + RA_RATE_FLOPS_PER_S] = { "flops_per_s", "FLOP/s",                    \
		                                       RA_TABLE_FLOP_RATE, NULL },                 \
		   [(first) + RA_RATE_FLOPS_SHARE] = { "peak_flops_share", "Of peak",              \
		                                       RA_TABLE_PART, NULL },                      \
		   [(first) + RA_RATE_BYTES_PER_S] = { "bytes_per_s", "Bytes/s",                   \
		                                       RA_TABLE_BYTE_RATE, NULL },                 \
		   [(first) + RA_RATE_BYTES_SHARE] = { "peak_bytes_share", "Of memory",            \
		                                       RA_TABLE_PART, NULL },                      \
		   [(first) + RA_RATE_INTENSITY] = { "flops_per_byte", "FLOP/byte", RA_TABLE_REAL, \
		                                     NULL }

/* Adds the work of a call or of a part of a call, and the GPU time it took. */
void ra_rates_add(struct ra_rate *rate, const struct ra_op_work *work, double part, int64_t dur_ns);

/* Adds the work that an operation's device could have done in that time. */
void ra_rates_add_peak(struct ra_rate *rate, const struct ra_works *works, uint32_t slice,
                       const struct ra_gpu_op *op);

/* Notes in the sum of the whole table which values a row has. */
static inline void ra_rate_take_known(struct ra_rate *whole, const struct ra_rate *rate)
{
	whole->flops_ns |= rate->flops_ns;
	whole->bytes_ns |= rate->bytes_ns;
	whole->lacks_flops = whole->lacks_flops || rate->lacks_flops;
	whole->lacks_bytes = whole->lacks_bytes || rate->lacks_bytes;
}

/* Fills the columns of a row; cells: the first of these columns. Unknown values stay empty. */
void ra_rates_put(const struct ra_rate *rate, struct ra_table_cell *cells);

/* True for operations that are not in a call's bytes: copies between host and device. A call with
 * such copies is left out if its model only knows bytes. */
static inline bool ra_rate_is_foreign(const struct ra_gpu_op *op)
{
	return op->kind == RA_GPU_COPY && op->copy_kind != 8; /* copies within the device are in the
	                                                         bytes */
}

/*
 * Finds the rates of kernels by label, or by name if labels is NULL. A call's work is shared among
 * the kernels launched in the call, but not in an inner call with work of its own. Shares are in
 * proportion to time. If there are matrix products, convolutions or attention, only these get a
 * share.
 *
 * @rates: owned by the caller, NULL if nothing is known.
 */
void ra_rates_of_kernels(struct ra_works *works, struct ra_labels *labels, struct ra_rate **rates);

#endif
