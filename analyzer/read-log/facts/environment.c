/* SPDX-License-Identifier: MIT */
/* Lists variables of CUDA, HIP, NCCL and PyTorch that change figures, with the values that have an
 * effect. */
#include "analyzer/read-log/facts/environment.h"

#include <string.h>

#define WORDS 2

/* A variable, and the values with which it has an effect. */
struct variable {
	const char *name;
	struct ra_environment_effect effect;
	bool is_any; /* any value has an effect */
	/* these values have an effect; NULL: all values except 0 and the empty one have */
	const char *words[WORDS];
};

#define BLOCKING "each launch waits until its work is done, so the GPU idles in between"
#define NO_CACHE "PyTorch takes all memory from the driver anew, which waits for the GPU"
#define WAITS    "the host waits for each collective"
#define VARIABLE(name, key, text)          \
	name,                              \
	{                                  \
		key, name " is set: " text \
	}

static const struct variable variables[RA_ENVIRONMENT_EFFECTS] = {
	{ VARIABLE("CUDA_LAUNCH_BLOCKING", "launch_blocking", BLOCKING), false, { NULL } },
	{ VARIABLE("HIP_LAUNCH_BLOCKING", "hip_launch_blocking", BLOCKING), false, { NULL } },
	{ VARIABLE("AMD_SERIALIZE_KERNEL", "serialize_kernel",
	           "kernels do not run side by side, and launches wait for them"),
	  false,
	  { NULL } },
	{ VARIABLE("CUDA_DEVICE_MAX_CONNECTIONS", "max_connections",
	           "all streams share one queue to the GPU, so that work of one waits for that of "
	           "others"),
	  false,
	  { "1", NULL } },
	{ VARIABLE("CUDA_MODULE_LOADING", "module_loading",
	           "all code is loaded at the start, not at its first use"),
	  false,
	  { "EAGER", NULL } },
	{ VARIABLE("NVIDIA_TF32_OVERRIDE", "tf32_override",
	           "libraries do not compute in TF32, whatever the program asks for"),
	  false,
	  { "0", NULL } },
	{ VARIABLE("NCCL_DEBUG", "nccl_debug", "NCCL writes about what it does meanwhile"),
	  false,
	  { "INFO", "TRACE" } },
	{ VARIABLE("NCCL_BLOCKING_WAIT", "nccl_blocking_wait", WAITS), false, { NULL } },
	{ VARIABLE("TORCH_NCCL_BLOCKING_WAIT", "torch_nccl_blocking_wait", WAITS),
	  false,
	  { NULL } },
	{ VARIABLE("TORCH_DISTRIBUTED_DEBUG", "distributed_debug",
	           "ranks compare each collective before they begin it"),
	  false,
	  { "DETAIL", NULL } },
	{ VARIABLE("PYTORCH_NO_CUDA_MEMORY_CACHING", "no_memory_caching", NO_CACHE),
	  true,
	  { NULL } },
	{ VARIABLE("PYTORCH_NO_HIP_MEMORY_CACHING", "no_hip_memory_caching", NO_CACHE),
	  true,
	  { NULL } },
};

static bool is_word(const struct rlog_string *text, size_t from, const char *word)
{
	return text->length - from == strlen(word) &&
	       memcmp(text->bytes + from, word, strlen(word)) == 0;
}

/* True if NAME=value sets a variable to a value that has an effect. */
static bool has_effect(const struct variable *variable, const struct rlog_string *text)
{
	const size_t from = strlen(variable->name) + 1;

	if (text->length < from || text->bytes[from - 1] != '=' ||
	    memcmp(text->bytes, variable->name, from - 1) != 0) {
		return false;
	}
	if (variable->words[0] == NULL) {
		return variable->is_any || (text->length > from && !is_word(text, from, "0"));
	}
	return is_word(text, from, variable->words[0]) ||
	       (variable->words[1] != NULL && is_word(text, from, variable->words[1]));
}

static bool is_in_force(const struct rlog_fact *fact, const struct variable *variable)
{
	for (size_t i = 0; i < fact->text_count; i++) {
		if (has_effect(variable, &fact->texts[i])) {
			return true;
		}
	}
	return false;
}

size_t ra_environment_find(const struct rlog_reader *reader,
                           const struct ra_environment_effect **effects)
{
	const struct rlog_fact *fact =
		reader != NULL ? rlog_reader_find_capture(reader, "environment") : NULL;
	size_t count = 0;

	for (size_t i = 0; i < RA_ENVIRONMENT_EFFECTS && fact != NULL; i++) {
		if (is_in_force(fact, &variables[i])) {
			effects[count++] = &variables[i].effect;
		}
	}
	return count;
}

bool ra_environment_is_blocking(const struct rlog_reader *reader)
{
	const struct rlog_fact *fact =
		reader != NULL ? rlog_reader_find_capture(reader, "environment") : NULL;

	return fact != NULL &&
	       (is_in_force(fact, &variables[0]) || is_in_force(fact, &variables[1]));
}
