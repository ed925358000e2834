/* SPDX-License-Identifier: MIT */
/* Knows the peak rates of devices: floating point operations by type, and bytes of their memory. */
#include "analyzer/figures/throughput/peaks.h"

#include <string.h>

/* Sources of all numbers: doc/metrics.md, section 23. */

/* Operations in a clock cycle on a multiprocessor; a fused multiply-add counts as two. */
struct rate {
	uint8_t major;
	uint8_t minor;
	bool is_halved; /* GeForce products reach half of this in tensor cores, except with INT8 */
	uint16_t per_clock[RA_KERNEL_TYPES];
};

#define PER_CLOCK(fp64, fp32, tf32, fp16, bf16, fp8, int8)                                       \
	{                                                                                        \
		[RA_KERNEL_FP64] = (fp64), [RA_KERNEL_FP32] = (fp32), [RA_KERNEL_TF32] = (tf32), \
		[RA_KERNEL_FP16] = (fp16), [RA_KERNEL_BF16] = (bf16), [RA_KERNEL_FP8] = (fp8),   \
		[RA_KERNEL_INT8] = (int8),                                                       \
	}

static const struct rate nvidia[] = {
	{ 6, 0, false, PER_CLOCK(64, 128, 0, 256, 0, 0, 0) },
	{ 6, 1, false, PER_CLOCK(8, 256, 0, 0, 0, 0, 0) },
	{ 7, 0, false, PER_CLOCK(64, 128, 0, 1024, 0, 0, 0) },
	{ 7, 5, true, PER_CLOCK(4, 128, 0, 1024, 0, 0, 2048) },
	{ 8, 0, false, PER_CLOCK(128, 128, 1024, 2048, 2048, 0, 4096) },
	{ 8, 6, true, PER_CLOCK(4, 256, 512, 1024, 1024, 0, 2048) },
	{ 8, 9, true, PER_CLOCK(4, 256, 512, 1024, 1024, 2048, 2048) },
	{ 9, 0, false, PER_CLOCK(256, 256, 2048, 4096, 4096, 8192, 8192) },
	{ 10, 0, false, PER_CLOCK(128, 256, 4096, 8192, 8192, 16384, 16384) },
	{ 12, 0, true, PER_CLOCK(4, 256, 512, 1024, 1024, 2048, 2048) },
};

/* Peaks of AMD's devices, by product family. */
static const struct rate cdna2 = { 9, 0, false, PER_CLOCK(256, 256, 0, 1024, 1024, 0, 1024) };
static const struct rate cdna3 = { 9, 4, false, PER_CLOCK(256, 256, 1024, 2048, 2048, 4096, 4096) };
static const struct rate cdna4 = { 9, 5, false, PER_CLOCK(128, 256, 0, 4096, 4096, 8192, 8192) };

/* A word of the device's name, the maker's figures, and the maker. */
static const struct product {
	const char *word;
	const struct rate *rate; /* NULL: the compute capability decides */
	uint16_t tensor_mhz;     /* the clock that the maker's figures for tensor cores refer to */
	uint16_t other_mhz;      /* … and the clock of all other figures */
	uint16_t gb_per_s;       /* of its memory; 0: not known */
} products[] = {
	/* The first entry that matches is used. */
	{ "P100-SXM2", NULL, 1480, 1480, 732 },
	{ "P100-PCIE", NULL, 1303, 1303, 0 },
	{ "GP100", NULL, 1442, 1442, 717 },
	{ "V100-SXM2", NULL, 1530, 1530, 900 },
	{ "V100-DGXS", NULL, 1530, 1530, 900 },
	{ "V100-PCIE", NULL, 1380, 1380, 900 },
	{ "Tesla T4", NULL, 1590, 1590, 320 },
	{ "A100-SXM4-80GB", NULL, 1410, 1410, 2039 },
	{ "A100 80GB PCIe", NULL, 1410, 1410, 1935 },
	{ "A100", NULL, 1410, 1410, 1555 },
	{ "A30", NULL, 1440, 1440, 933 },
	{ "A40", NULL, 1740, 1740, 696 },
	{ "RTX A6000", NULL, 1800, 1800, 768 },
	{ "L40S", NULL, 2490, 2520, 864 },
	{ "L4", NULL, 2040, 2040, 300 },
	{ "RTX 6000 Ada", NULL, 2505, 2505, 960 },
	{ "RTX 2080 Ti", NULL, 1545, 1545, 616 },
	{ "RTX 3090", NULL, 1695, 1695, 936 },
	{ "RTX 4090", NULL, 2520, 2520, 1008 },
	{ "RTX 5090", NULL, 2407, 2407, 1792 },
	{ "H100 80GB HBM3", NULL, 1830, 1980, 3352 },
	{ "H100 PCIe", NULL, 1620, 1755, 2039 },
	{ "H200", NULL, 1830, 1980, 4800 },
	{ "GH200", NULL, 1830, 1980, 0 },
	{ "B200", NULL, 1856, 1965, 8000 },
	{ "MI210", &cdna2, 1700, 1700, 1638 },
	{ "MI250", &cdna2, 1700, 1700, 1638 },
	{ "MI250X", &cdna2, 1700, 1700, 1638 },
	{ "MI300A", &cdna3, 2100, 2100, 5300 },
	{ "MI300X", &cdna3, 2100, 2100, 5300 },
	{ "MI325X", &cdna3, 2100, 2100, 6000 },
	{ "MI350X", &cdna4, 2200, 2200, 8000 },
	{ "MI355X", &cdna4, 2400, 2400, 8000 },
};

static bool is_word_end(char c)
{
	return !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}

/* True if the name has all of these words, each as a whole word. */
static bool has_words(struct rlog_string name, const char *words)
{
	const size_t length = strlen(words);

	for (size_t at = 0; at + length <= name.length; at++) {
		if (memcmp(name.bytes + at, words, length) == 0 &&
		    (at == 0 || is_word_end(name.bytes[at - 1])) &&
		    (at + length == name.length || is_word_end(name.bytes[at + length]))) {
			return true;
		}
	}
	return false;
}

static const struct product *find_product(struct rlog_string name)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		if (has_words(name, products[i].word)) {
			return &products[i];
		}
	}
	return NULL;
}

static const struct rate *find_rate(const struct ra_gpu_device *device)
{
	for (size_t i = 0; i < sizeof(nvidia) / sizeof(nvidia[0]); i++) {
		if (device->limits.cc_major == nvidia[i].major &&
		    device->limits.cc_minor == nvidia[i].minor) {
			return &nvidia[i];
		}
	}
	return NULL;
}

double ra_peaks_flops(const struct ra_gpu_device *device, struct rlog_string name,
                      enum ra_kernel_type type)
{
	const struct product *product = find_product(name);
	const bool is_tensor =
		type != RA_KERNEL_FP64 && type != RA_KERNEL_FP32 && type != RA_KERNEL_TYPE_UNKNOWN;
	const bool is_geforce = has_words(name, "GeForce");
	const struct rate *rate;
	double hz = device->clock_khz * 1e3;
	double per_clock;

	if (product == NULL && (has_words(name, "AMD") || has_words(name, "Instinct"))) {
		return 0; /* the compute capability of such a device would match another maker's
		             device */
	}
	rate = product != NULL && product->rate != NULL ? product->rate : find_rate(device);
	if (rate == NULL || device->limits.multiprocessors <= 0) {
		return 0;
	}
	per_clock = rate->per_clock[type];
	if (rate->is_halved && is_tensor && type != RA_KERNEL_INT8) {
		if (product == NULL && !is_geforce) {
			return 0; /* devices are sold with both */
		}
		per_clock /= is_geforce ? 2 : 1;
	}
	if (product != NULL) {
		hz = (is_tensor ? product->tensor_mhz : product->other_mhz) * 1e6;
	}
	return per_clock * device->limits.multiprocessors * hz;
}

double ra_peaks_bytes(const struct ra_gpu_device *device, struct rlog_string name)
{
	const struct product *product = find_product(name);

	return product != NULL && product->gb_per_s != 0 ? product->gb_per_s * 1e9
	                                                 : (double) device->bandwidth_kb_s * 1e3;
}
