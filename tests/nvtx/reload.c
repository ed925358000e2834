/* SPDX-License-Identifier: MIT */
/*
 * Loads and unloads annotated libraries again and again. Prints what it did, a line "NAME COUNT"
 *for each range, sorted by whoever wants; on stderr, how many texts lay where another had been.
 *
 *	reload LOOPS LIBRARY…
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ranges/nvtx.h>

#define MAX_TEXTS 64

static struct text {
	char text[64];
	const void *at; /* where it was last */
	unsigned count;
} texts[MAX_TEXTS];

static unsigned moved_in; /* texts found where another had been */

static void note(const char *text)
{
	struct text *mine = NULL;

	for (int i = 0; i < MAX_TEXTS && mine == NULL; i++) {
		if (texts[i].text[0] == '\0') {
			snprintf(texts[i].text, sizeof(texts[i].text), "%s", text);
		}
		if (strcmp(texts[i].text, text) == 0) {
			mine = &texts[i];
		}
	}
	if (mine == NULL) {
		exit(2);
	}
	for (int i = 0; i < MAX_TEXTS; i++) {
		if (&texts[i] != mine && texts[i].at == text) {
			texts[i].at = NULL;
			moved_in++;
		}
	}
	mine->at = text;
	mine->count++;
}

/* The attributes of a range that is pushed by a registered string. */
static void run_registered(nvtxStringHandle_t handle)
{
	nvtxEventAttributes_t attributes;

	memset(&attributes, 0, sizeof(attributes));
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = handle;
	nvtxRangePushEx(&attributes);
	nvtxRangePop();
}

static void use(const char *path)
{
	void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const char *(*module_text)(unsigned);
	void (*module_run)(unsigned);
	void (*module_open)(void);
	nvtxStringHandle_t (*module_register)(void);
	nvtxStringHandle_t handle;
	char first[64];

	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	*(void **) &module_text = dlsym(library, "module_text");
	*(void **) &module_run = dlsym(library, "module_run");
	*(void **) &module_open = dlsym(library, "module_open");
	*(void **) &module_register = dlsym(library, "module_register");
	for (unsigned i = 0; module_text(i) != NULL; i++) {
		note(module_text(i));
		module_run(i);
		/* And by the table of the program itself. */
		note(module_text(i));
		nvtxRangePushA(module_text(i));
		nvtxRangePop();
	}
	snprintf(first, sizeof(first), "%s", module_text(0));
	handle = module_register();
	module_open();
	dlclose(library);
	/* The library is gone, but the ranges that it opened and the strings that it registered
	 * still exist. */
	nvtxRangePop();
	note("open");
	run_registered(handle);
	note(first);
}

int main(int argc, char **argv)
{
	const long loops = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	for (long loop = 0; loop < loops; loop++) {
		for (int i = 2; i < argc; i++) {
			use(argv[i]);
		}
	}
	for (int i = 0; i < MAX_TEXTS && texts[i].text[0] != '\0'; i++) {
		printf("%s %u\n", texts[i].text, texts[i].count);
	}
	fprintf(stderr, "%u texts where another had been\n", moved_in);
	return 0;
}
