/* SPDX-License-Identifier: MIT */
/*
 * A library that reload.c loads and unloads. Compiled several times with other TEXTS of the same
 * total size: then the texts of one lie where those of the other were.
 */
#ifdef NVIDIA_HEADER
#include <nvtx3/nvToolsExt.h>
#else
#include <ranges/nvtx.h>
#endif

#define EXPORT __attribute__((visibility("default")))

static const char texts[][64] = { TEXTS };

EXPORT const char *module_text(unsigned number);
EXPORT void module_run(unsigned number);
EXPORT void module_open(void);
EXPORT nvtxStringHandle_t module_register(void);

EXPORT const char *module_text(unsigned number)
{
	return number < sizeof(texts) / sizeof(texts[0]) ? texts[number] : NULL;
}

EXPORT void module_run(unsigned number)
{
	nvtxRangePushA(texts[number]);
	nvtxRangePop();
}

/* Leaves a range open. */
EXPORT void module_open(void)
{
	nvtxRangePushA("open");
}

EXPORT nvtxStringHandle_t module_register(void)
{
	return nvtxDomainRegisterStringA(NULL, texts[0]);
}
