/* SPDX-License-Identifier: MIT */
/* Finds the types of a tensor's values by their names. */
#include "analyzer/names/scalar.h"

#include "analyzer/base/text/util-string.h"

static const struct ra_scalar scalars[] = {
	{ "c10::BFloat16", 2, RA_KERNEL_BF16 },
	{ "c10::Half", 2, RA_KERNEL_FP16 },
	{ "float", 4, RA_KERNEL_FP32 },
	{ "double", 8, RA_KERNEL_FP64 },
	{ "bool", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "signed char", 1, RA_KERNEL_INT8 },
	{ "unsigned char", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "short", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "short int", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "unsigned short", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "short unsigned int", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "int", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "unsigned int", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "long", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "long int", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "unsigned long", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "long unsigned int", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "c10::Float8_e4m3fn", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e5m2", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e4m3fnuz", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e5m2fnuz", 1, RA_KERNEL_FP8 },
	{ "c10::complex<c10::Half>", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "c10::complex<float>", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "c10::complex<double>", 16, RA_KERNEL_TYPE_UNKNOWN },
	{ "Float", 4, RA_KERNEL_FP32 },
	{ "Half", 2, RA_KERNEL_FP16 },
	{ "BFloat16", 2, RA_KERNEL_BF16 },
	{ "Double", 8, RA_KERNEL_FP64 },
	{ "Bool", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "Byte", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "Char", 1, RA_KERNEL_INT8 },
	{ "Short", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "Int", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "Long", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "UInt16", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "UInt32", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "UInt64", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "Float8_e4m3fn", 1, RA_KERNEL_FP8 },
	{ "Float8_e5m2", 1, RA_KERNEL_FP8 },
	{ "Float8_e4m3fnuz", 1, RA_KERNEL_FP8 },
	{ "Float8_e5m2fnuz", 1, RA_KERNEL_FP8 },
	{ "ComplexHalf", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "ComplexFloat", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "ComplexDouble", 16, RA_KERNEL_TYPE_UNKNOWN },
};

const struct ra_scalar *ra_scalar_find(struct rlog_string name)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		if (ra_util_string_is(name, scalars[i].name)) {
			return &scalars[i];
		}
	}
	return NULL;
}
