/* SPDX-License-Identifier: MIT */
/*
 * nvtx-count: an NVTX injection library that counts calls, independent of libranges.
 *
 * It shares no code, no declarations and no ideas of time with libranges: it includes NVIDIA's own
 * headers and takes one lock per event. What it counts is what crossed the NVTX interface, so a
 * program run under it gives the numbers a capture of the same program has to reproduce.
 *
 * NVTX_COUNT_OUT=FILE	required; without it the library declines and NVTX stays a no-op. At exit:
 *   FILE		kind <TAB> domain <TAB> name <TAB> count, sorted bytewise
 *   FILE.threads	thread ordinal (1 = first to call) before the same four columns
 *   FILE.info		what the program did besides: functions, struct versions, names, inits
 * Kinds are mark, push, pop, start, end; pop and end carry no name. The default domain is "".
 * In domains and names \ TAB LF CR are written as \\ \t \n \r. A second process of the same run
 * (fork or exec) writes FILE.<pid> and so on. Payload, counter and memory extensions are not
 * counted.
 *
 * Build: cc -std=c11 -O2 -Wall -Wextra -shared -fPIC -fvisibility=hidden -isystem CUDA/include
 *	nvtx-count.c nvtx-count-table.c -o libnvtxcount.so -pthread -ldl
 */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include "nvtx-count-table.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

#include <nvtx3/nvToolsExt.h>

#define EXPORT    __attribute__((visibility("default")))
#define DEPTH_MAX 64

/* Domain and string handles given to the program; never freed, so a stale handle stays readable. */
struct domain {
	char *name;
};

struct string {
	char *text;
};

/* One thread's nesting depth in one domain, kept only to return what NVTX documents. */
struct depth {
	const struct domain *domain;
	int depth;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_open;
static _Atomic nvtxRangeId_t range_last; /* relaxed: only the value has to be unique */
static _Thread_local struct depth depths[DEPTH_MAX];

static const char *name_of(const struct domain *domain)
{
	return domain != NULL ? domain->name : "";
}

/* UTF-8 of a wide string; the caller frees it. */
static char *from_wide(const wchar_t *wide)
{
	if (wide == NULL) {
		return NULL;
	}
	char *const text = count_alloc(4 * wcslen(wide) + 1);
	char *to = text;

	for (; *wide != 0; wide++) {
		const uint32_t c = (uint32_t) *wide;

		if (c < 0x80) {
			*to++ = (char) c;
		} else if (c < 0x800) {
			*to++ = (char) (0xc0 | c >> 6);
			*to++ = (char) (0x80 | (c & 0x3f));
		} else if (c < 0x10000) {
			*to++ = (char) (0xe0 | c >> 12);
			*to++ = (char) (0x80 | (c >> 6 & 0x3f));
			*to++ = (char) (0x80 | (c & 0x3f));
		} else {
			*to++ = (char) (0xf0 | (c >> 18 & 7));
			*to++ = (char) (0x80 | (c >> 12 & 0x3f));
			*to++ = (char) (0x80 | (c >> 6 & 0x3f));
			*to++ = (char) (0x80 | (c & 0x3f));
		}
	}
	*to = '\0';
	return text;
}

static int *find_depth(const struct domain *domain)
{
	for (int i = 0; i < DEPTH_MAX; i++) {
		if (depths[i].depth == 0) {
			depths[i].domain = domain;
		}
		if (depths[i].domain == domain) {
			return &depths[i].depth;
		}
	}
	return NULL;
}

static int push_depth(const struct domain *domain)
{
	int *const depth = find_depth(domain);

	return depth != NULL ? (*depth)++ : NVTX_NO_PUSH_POP_TRACKING;
}

static int pop_depth(const struct domain *domain)
{
	int *const depth = find_depth(domain);

	if (depth == NULL) {
		return NVTX_NO_PUSH_POP_TRACKING;
	}
	if (*depth == 0) {
		count_info("pop without push\t%s", name_of(domain));
		return -1;
	}
	return --*depth;
}

static nvtxRangeId_t next_range(void)
{
	return atomic_fetch_add_explicit(&range_last, 1, memory_order_relaxed) + 1;
}

static const struct domain *as_domain(nvtxDomainHandle_t handle)
{
	return (const struct domain *) (const void *) handle;
}

/* Counts an event whose message is in attributes, which may be of any version. */
static void add_attributes(const char *kind, const struct domain *domain,
                           const nvtxEventAttributes_t *a)
{
	if (a == NULL) {
		count_info("attributes\tNULL");
		count_event(kind, name_of(domain), NULL);
		return;
	}
	count_info("attributes\tversion=%u size=%u messageType=%d payloadType=%d colorType=%d %s",
	           a->version, a->size, a->messageType, a->payloadType, a->colorType,
	           a->category != 0 ? "category" : "no category");
	if (a->messageType == NVTX_MESSAGE_TYPE_ASCII) {
		count_event(kind, name_of(domain), a->message.ascii);
	} else if (a->messageType == NVTX_MESSAGE_TYPE_UNICODE) {
		char *const text = from_wide(a->message.unicode);

		count_event(kind, name_of(domain), text);
		free(text);
	} else if (a->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
		const struct string *const s = (const void *) a->message.registered;

		count_event(kind, name_of(domain), s != NULL ? s->text : NULL);
	} else {
		count_event(kind, name_of(domain), NULL);
	}
}

static void add_wide(const char *kind, const wchar_t *message)
{
	char *const text = from_wide(message);

	count_event(kind, "", text);
	free(text);
}

/* __func__ is on_ and the name in snake case: on_range_push_a for nvtxRangePushA. */
#define CALLED() count_info("function\t%s", __func__)

static void NVTX_API on_mark_ex(const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("mark", NULL, a);
}

static void NVTX_API on_mark_a(const char *message)
{
	CALLED();
	count_event("mark", "", message);
}

static void NVTX_API on_mark_w(const wchar_t *message)
{
	CALLED();
	add_wide("mark", message);
}

static nvtxRangeId_t NVTX_API on_range_start_ex(const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("start", NULL, a);
	return next_range();
}

static nvtxRangeId_t NVTX_API on_range_start_a(const char *message)
{
	CALLED();
	count_event("start", "", message);
	return next_range();
}

static nvtxRangeId_t NVTX_API on_range_start_w(const wchar_t *message)
{
	CALLED();
	add_wide("start", message);
	return next_range();
}

static void NVTX_API on_range_end(nvtxRangeId_t id)
{
	(void) id;
	CALLED();
	count_event("end", "", NULL);
}

static int NVTX_API on_range_push_ex(const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("push", NULL, a);
	return push_depth(NULL);
}

static int NVTX_API on_range_push_a(const char *message)
{
	CALLED();
	count_event("push", "", message);
	return push_depth(NULL);
}

static int NVTX_API on_range_push_w(const wchar_t *message)
{
	CALLED();
	add_wide("push", message);
	return push_depth(NULL);
}

static int NVTX_API on_range_pop(void)
{
	CALLED();
	count_event("pop", "", NULL);
	return pop_depth(NULL);
}

static void NVTX_API on_name_category_a(uint32_t category, const char *name)
{
	count_info("category\t\t%" PRIu32 "\t%s", category, name != NULL ? name : "NULL");
}

static void NVTX_API on_name_category_w(uint32_t category, const wchar_t *name)
{
	count_info("category\t\t%" PRIu32 "\t(wide) %ls", category, name != NULL ? name : L"NULL");
}

static void NVTX_API on_name_os_thread_a(uint32_t id, const char *name)
{
	count_info("name thread\t%s\tis own tid: %s", name != NULL ? name : "NULL",
	           id == (uint32_t) syscall(SYS_gettid) ? "yes" : "no");
}

static void NVTX_API on_name_os_thread_w(uint32_t id, const wchar_t *name)
{
	count_info("name thread\t(wide) %ls\tis own tid: %s", name != NULL ? name : L"NULL",
	           id == (uint32_t) syscall(SYS_gettid) ? "yes" : "no");
}

static void NVTX_API on_domain_mark_ex(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("mark", as_domain(domain), a);
}

static nvtxRangeId_t NVTX_API on_domain_range_start_ex(nvtxDomainHandle_t domain,
                                                       const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("start", as_domain(domain), a);
	return next_range();
}

static void NVTX_API on_domain_range_end(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
	(void) id;
	CALLED();
	count_event("end", name_of(as_domain(domain)), NULL);
}

static int NVTX_API on_domain_range_push_ex(nvtxDomainHandle_t domain,
                                            const nvtxEventAttributes_t *a)
{
	CALLED();
	add_attributes("push", as_domain(domain), a);
	return push_depth(as_domain(domain));
}

static int NVTX_API on_domain_range_pop(nvtxDomainHandle_t domain)
{
	CALLED();
	count_event("pop", name_of(as_domain(domain)), NULL);
	return pop_depth(as_domain(domain));
}

static void NVTX_API on_domain_name_category_a(nvtxDomainHandle_t domain, uint32_t category,
                                               const char *name)
{
	count_info("category\t%s\t%" PRIu32 "\t%s", name_of(as_domain(domain)), category,
	           name != NULL ? name : "NULL");
}

static void NVTX_API on_domain_name_category_w(nvtxDomainHandle_t domain, uint32_t category,
                                               const wchar_t *name)
{
	count_info("category\t%s\t%" PRIu32 "\t(wide) %ls", name_of(as_domain(domain)), category,
	           name != NULL ? name : L"NULL");
}

/* Takes text over. */
static nvtxStringHandle_t create_string(char *text)
{
	struct string *const s = count_alloc(sizeof(*s));

	s->text = text;
	return (nvtxStringHandle_t) (void *) s;
}

static nvtxStringHandle_t NVTX_API on_domain_register_string_a(nvtxDomainHandle_t domain,
                                                               const char *text)
{
	(void) domain;
	CALLED();
	return create_string(count_copy(text));
}

static nvtxStringHandle_t NVTX_API on_domain_register_string_w(nvtxDomainHandle_t domain,
                                                               const wchar_t *text)
{
	(void) domain;
	CALLED();
	return create_string(text != NULL ? from_wide(text) : count_copy(NULL));
}

/* Takes name over. */
static nvtxDomainHandle_t create_domain(char *name)
{
	struct domain *const d = count_alloc(sizeof(*d));

	d->name = name;
	count_info("domain created\t%s", name);
	return (nvtxDomainHandle_t) (void *) d;
}

static nvtxDomainHandle_t NVTX_API on_domain_create_a(const char *name)
{
	CALLED();
	return create_domain(count_copy(name));
}

static nvtxDomainHandle_t NVTX_API on_domain_create_w(const wchar_t *name)
{
	CALLED();
	return create_domain(name != NULL ? from_wide(name) : count_copy(NULL));
}

static void NVTX_API on_domain_destroy(nvtxDomainHandle_t domain)
{
	count_info("domain destroyed\t%s", domain != NULL ? as_domain(domain)->name : "NULL");
}

static void NVTX_API on_initialize(const void *reserved)
{
	(void) reserved;
	CALLED();
}

static void init_once(void)
{
	is_open = count_open(getenv("NVTX_COUNT_OUT")); /* NOLINT(concurrency-mt-unsafe) */
}

struct slot {
	unsigned id;
	NvtxFunctionPointer function;
};

#define CORE(id, function)                                            \
	{                                                             \
		NVTX_CBID_CORE_##id, (NvtxFunctionPointer) (function) \
	}
#define CORE2(id, function)                                            \
	{                                                              \
		NVTX_CBID_CORE2_##id, (NvtxFunctionPointer) (function) \
	}

/* clang-format off */
static const struct slot core_slots[] = {
	CORE(MarkEx, on_mark_ex),
	CORE(MarkA, on_mark_a),
	CORE(MarkW, on_mark_w),
	CORE(RangeStartEx, on_range_start_ex),
	CORE(RangeStartA, on_range_start_a),
	CORE(RangeStartW, on_range_start_w),
	CORE(RangeEnd, on_range_end),
	CORE(RangePushEx, on_range_push_ex),
	CORE(RangePushA, on_range_push_a),
	CORE(RangePushW, on_range_push_w),
	CORE(RangePop, on_range_pop),
	CORE(NameCategoryA, on_name_category_a),
	CORE(NameCategoryW, on_name_category_w),
	CORE(NameOsThreadA, on_name_os_thread_a),
	CORE(NameOsThreadW, on_name_os_thread_w),
};

static const struct slot core2_slots[] = {
	CORE2(DomainMarkEx, on_domain_mark_ex),
	CORE2(DomainRangeStartEx, on_domain_range_start_ex),
	CORE2(DomainRangeEnd, on_domain_range_end),
	CORE2(DomainRangePushEx, on_domain_range_push_ex),
	CORE2(DomainRangePop, on_domain_range_pop),
	CORE2(DomainNameCategoryA, on_domain_name_category_a),
	CORE2(DomainNameCategoryW, on_domain_name_category_w),
	CORE2(DomainRegisterStringA, on_domain_register_string_a),
	CORE2(DomainRegisterStringW, on_domain_register_string_w),
	CORE2(DomainCreateA, on_domain_create_a),
	CORE2(DomainCreateW, on_domain_create_w),
	CORE2(DomainDestroy, on_domain_destroy),
	CORE2(Initialize, on_initialize),
};
/* clang-format on */

static void install(const NvtxExportTableCallbacks *callbacks, NvtxCallbackModule module,
                    const struct slot *slots, size_t n)
{
	NvtxFunctionTable table = NULL;
	unsigned size = 0;

	if (!callbacks->GetModuleFunctionTable(module, &table, &size) || table == NULL) {
		count_info("no table of module\t%d", (int) module);
		return;
	}
	count_info("table of module %d\tsize=%u", (int) module, size);
	for (size_t i = 0; i < n; i++) {
		if (slots[i].id < size && table[slots[i].id] != NULL) {
			*table[slots[i].id] = slots[i].function;
		}
	}
}

EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table)
{
	const NvtxExportTableCallbacks *const callbacks = get_export_table(NVTX_ETID_CALLBACKS);
	const NvtxExportTableVersionInfo *const version = get_export_table(NVTX_ETID_VERSIONINFO);

	pthread_once(&once, init_once);
	if (!is_open || callbacks == NULL) {
		return 0;
	}
	if (version != NULL) {
		count_info("init\tversion=%" PRIu32, version->version);
		version->SetInjectionNvtxVersion(NVTX_VERSION);
	} else {
		count_info("init\tno version table");
	}
	install(callbacks, NVTX_CB_MODULE_CORE, core_slots,
	        sizeof(core_slots) / sizeof(core_slots[0]));
	install(callbacks, NVTX_CB_MODULE_CORE2, core2_slots,
	        sizeof(core2_slots) / sizeof(core2_slots[0]));
	return 1;
}
