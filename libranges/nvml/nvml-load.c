/* SPDX-License-Identifier: MIT */
/* Loads the functions of NVIDIA's management library, which comes with the driver, at run time. */
#include "libranges/nvml/nvml-load.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "libranges/base/log.h"

struct rcap_nvml rcap_nvml;

static const struct {
	const char *name;
	size_t offset;
	bool is_needed;
} functions[] = {
	{ "nvmlInit_v2", offsetof(struct rcap_nvml, init), true },
	{ "nvmlDeviceGetCount_v2", offsetof(struct rcap_nvml, get_count), true },
	{ "nvmlDeviceGetHandleByIndex_v2", offsetof(struct rcap_nvml, get_device), true },
	{ "nvmlDeviceGetUUID", offsetof(struct rcap_nvml, get_uuid), true },
	{ "nvmlDeviceGetPowerUsage", offsetof(struct rcap_nvml, get_power), false },
	{ "nvmlDeviceGetTotalEnergyConsumption", offsetof(struct rcap_nvml, get_energy), false },
	{ "nvmlDeviceGetClockInfo", offsetof(struct rcap_nvml, get_clock), false },
	{ "nvmlDeviceGetUtilizationRates", offsetof(struct rcap_nvml, get_utilization), false },
	{ "nvmlDeviceGetMemoryInfo", offsetof(struct rcap_nvml, get_memory), false },
	{ "nvmlDeviceGetTemperature", offsetof(struct rcap_nvml, get_temperature), false },
	{ "nvmlDeviceGetSamples", offsetof(struct rcap_nvml, get_samples), false },
	{ "nvmlDeviceGetFieldValues", offsetof(struct rcap_nvml, get_fields), false },
	{ "nvmlDeviceGetPcieThroughput", offsetof(struct rcap_nvml, get_pcie), false },
	{ "nvmlGpmQueryDeviceSupport", offsetof(struct rcap_nvml, gpm_is_supported), false },
	{ "nvmlGpmSampleAlloc", offsetof(struct rcap_nvml, gpm_alloc), false },
	{ "nvmlGpmSampleGet", offsetof(struct rcap_nvml, gpm_get), false },
	{ "nvmlGpmMetricsGet", offsetof(struct rcap_nvml, gpm_compare), false },
	{ "nvmlErrorString", offsetof(struct rcap_nvml, explain), false },
};

static bool find_functions(void *library, char *why, size_t size)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *const found = dlsym(library, functions[i].name);

		if (!found && functions[i].is_needed) {
			rcap_log_format(why, size, "libnvidia-ml.so.1 has no %s",
			                functions[i].name);
			return false;
		}
		/* Copies the bytes of a function pointer, because in ISO C an object pointer can't
		 * hold one. */
		memcpy((char *) &rcap_nvml + functions[i].offset, &found, sizeof(found));
	}
	return true;
}

bool rcap_nvml_load(char *why, size_t size)
{
	/* With RTLD_LOCAL, the library's symbols do not replace the program's own. */
	void *const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	int code;

	if (!library) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is the thread's own */
		const char *const error = dlerror();

		rcap_log_format(why, size, "%s", error ? error : "libnvidia-ml.so.1 is missing");
		return false;
	}
	if (!find_functions(library, why, size)) {
		return false;
	}
	code = rcap_nvml.init();
	if (code != 0) {
		rcap_log_format(why, size, "NVML does not start: %s (%d)",
		                rcap_nvml.explain ? rcap_nvml.explain(code) : "error", code);
		return false;
	}
	return true;
}
