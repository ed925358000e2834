/* SPDX-License-Identifier: MIT */
/* Senseless handles and texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

#include "ranges/nvtx.h"
#include "tests/capture/abuse.h"

static nvtxEventAttributes_t make(int32_t type, const void *message)
{
	nvtxEventAttributes_t attributes = { .version = NVTX_VERSION,
		                             .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
		                             .messageType = type };

	attributes.message.ascii = message;
	return attributes;
}

/* Makes eight events with a handle in place of a domain. */
static void use_domain(const void *pointer)
{
	/* NVTX ignores const here. */
	nvtxDomainHandle_t domain = (nvtxDomainHandle_t) pointer;
	const nvtxEventAttributes_t attributes = make(NVTX_MESSAGE_TYPE_ASCII, "in a domain");

	for (int i = 0; i < 2; i++) {
		nvtxDomainRangePushEx(domain, &attributes);
	}
	for (int i = 0; i < 2; i++) {
		nvtxDomainRangePop(domain);
	}
	nvtxDomainMarkEx(domain, &attributes);
	nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &attributes));
	abuse_expected.events += 7;
}
#define USES_OF_DOMAIN 7u

static void use_string(const void *pointer)
{
	const nvtxEventAttributes_t attributes = make(NVTX_MESSAGE_TYPE_REGISTERED, pointer);

	for (int i = 0; i < 2; i++) {
		nvtxRangePushEx(&attributes);
	}
	for (int i = 0; i < 2; i++) {
		nvtxRangePop();
	}
	nvtxMarkEx(&attributes);
	abuse_expected.events += 5;
}
#define USES_OF_STRING 3u

static void *make_pointer(uint64_t address)
{
	void *pointer = NULL;

	memcpy(&pointer, &address, sizeof(pointer));
	return pointer;
}

static void use_as_both(const void *pointer)
{
	use_domain(pointer);
	use_string(pointer);
	abuse_expected.wild_handle += USES_OF_DOMAIN + USES_OF_STRING;
}

void abuse_handles(void)
{
	char *domain = (char *) nvtxDomainCreateA("a domain");
	char *string = (char *) nvtxDomainRegisterStringA((void *) domain, "a string");
	char *const memory = malloc(64);
	volatile uintptr_t freed = (uintptr_t) memory; /* the compiler must not notice */
	uint64_t address = 0x9E3779B97F4A7C15u;

	free(memory);
	use_domain(domain);
	use_domain(NULL);
	use_string(string);
	/* Each handle is used as the other kind. */
	use_domain(string);
	use_string(domain);
	use_string(NULL);
	abuse_expected.wild_handle += USES_OF_DOMAIN + 2 * USES_OF_STRING;
	/* Handles near real ones, and at any address. */
	for (ptrdiff_t i = 1; i < 32; i++) {
		use_as_both(domain + i);
		use_as_both(string - i);
	}
	use_as_both(string + 32);
	use_as_both(string + (ptrdiff_t) 32 * 131072);
	use_as_both(domain - 32);
	use_as_both(make_pointer(freed));
	use_as_both(&address);
	use_as_both(make_pointer(1));
	use_as_both(make_pointer(UINT64_MAX));
	for (int i = 0; i < 1000; i++) {
		address = address * 6364136223846793005u + 1442695040888963407u;
		use_as_both(make_pointer(address >> i % 40));
	}
	/* A domain stays valid after its end. */
	nvtxDomainDestroy((void *) domain);
	nvtxDomainDestroy((void *) domain);
	use_domain(domain);
	use_string(string);
	if ((char *) nvtxDomainCreateA("a domain") != domain) {
		abuse_expected.events = 0;
	}
}

void abuse_unmatched(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("a domain");

	for (int i = 0; i < 1000; i++) {
		nvtxRangePop();
		nvtxDomainRangePop(domain);
		nvtxRangeEnd((nvtxRangeId_t) i * 0x123456789);
		nvtxDomainRangeEnd(domain, UINT64_MAX - (nvtxRangeId_t) i);
	}
	abuse_expected.events += 4000;
	abuse_expected.unmatched_pops += 2000;
	abuse_expected.unmatched_ends += 2000;
	/* Ranges that are ended twice, and in the wrong domain, which NVTX ignores. */
	const nvtxRangeId_t id = nvtxRangeStartA("ended twice");

	nvtxDomainRangeEnd(domain, id);
	nvtxRangeEnd(id);
	abuse_expected.events += 3;
	abuse_expected.unmatched_ends += 1;
}

/* Texts of every length that end with their page, twice each; then one that has no end there. */
static void end_with_page(void)
{
	char *at;

	for (size_t length = 0; length < 100; length++) {
		at = abuse_page_end(length + 1);
		memset(at, 'x', length);
		at[length] = '\0';
		for (int i = 0; i < 2; i++) {
			const nvtxEventAttributes_t attributes = make(NVTX_MESSAGE_TYPE_ASCII, at);

			nvtxRangePushA(at);
			nvtxRangePop();
			nvtxRangePushEx(&attributes);
			nvtxRangePop();
			nvtxMarkA(at);
			abuse_expected.events += 5;
		}
	}
	for (size_t length = 1; length < 100; length++) {
		/* Any address, even one that is not aligned for wchar_t. */
		at = abuse_page_end((length + 1) * sizeof(wchar_t));
		wmemset((wchar_t *) (void *) at, L'\u20AC', length);
		memset(at + length * sizeof(wchar_t), 0, sizeof(wchar_t));
		nvtxRangePushW((const wchar_t *) (const void *) at);
		nvtxRangePop();
		abuse_expected.events += 2;
	}
	at = abuse_page_end(16);
	memset(at, 'y', 16);
	nvtxMarkA(at);
	nvtxMarkA(at);
	nvtxMarkW((const wchar_t *) (const void *) at);
	abuse_expected.events += 3;
	abuse_expected.bad_pointer += 3;
}

static void make_no_sense(void)
{
	static const wchar_t wide[] = { 0xD800, 0xDFFF, 0x110000, 'a', (wchar_t) 0xFFFFFFFF, 0 };
	static const char *const narrow[] = { "\xFF\xFE",         "\xC0\x80",
		                              "\xED\xA0\x80",     "cut \xE2\x82",
		                              "\xF8\x88\x80\x80", "\x80",
		                              "\x1B[31m",         "a\nb" };

	for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
		nvtxMarkA(narrow[i]);
		nvtxDomainDestroy(nvtxDomainCreateA(narrow[i]));
		nvtxNameCategoryA((uint32_t) i, narrow[i]);
	}
	nvtxMarkW(wide);
	abuse_expected.events += sizeof(narrow) / sizeof(narrow[0]) + 1;
}

/* A hundred million characters, in memory that is all one page. */
static void be_long(void)
{
	const size_t bytes = (size_t) 100 << 20;
	char *text = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (text == MAP_FAILED) {
		exit(2); /* NOLINT(concurrency-mt-unsafe): one thread */
	}
	memset(text, 'n', bytes - 8);
	nvtxRangePushA(text);
	nvtxRangePop();
	nvtxMarkEx(&(nvtxEventAttributes_t){ .version = NVTX_VERSION,
	                                     .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	                                     .messageType = NVTX_MESSAGE_TYPE_ASCII,
	                                     .message.ascii = text });
	nvtxDomainRegisterStringA(NULL, text);
	nvtxDomainDestroy(nvtxDomainCreateA(text));
	nvtxNameOsThreadA(1, text);
	nvtxMarkW((const wchar_t *) (const void *) text);
	abuse_expected.events += 4;
	abuse_expected.cut_names += 2;
	munmap(text, bytes);
}

void abuse_text(void)
{
	end_with_page();
	make_no_sense();
	be_long();
}

/* The text is gone when the call has returned; 700 names: "1 0" … "7 99". */
void abuse_overwritten(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("a domain");
	nvtxEventAttributes_t attributes;
	char text[16];
	wchar_t wide[16];

	for (int i = 0; i < 700; i++) {
		(void) snprintf(text, sizeof(text), "%d %d", i % 7 + 1, i / 7);
		(void) swprintf(wide, 16, L"%d %d", i % 7 + 1, i / 7);
		attributes = make(NVTX_MESSAGE_TYPE_ASCII, text);
		switch (i % 7) {
		case 0:
			nvtxMarkA(text);
			break;
		case 1:
			nvtxMarkW(wide);
			break;
		case 2:
			nvtxMarkEx(&attributes);
			break;
		case 3:
			nvtxDomainMarkEx(domain, &attributes);
			break;
		case 4:
			attributes = make(NVTX_MESSAGE_TYPE_UNICODE, wide);
			nvtxMarkEx(&attributes);
			break;
		case 5:
			attributes = make(NVTX_MESSAGE_TYPE_REGISTERED,
			                  nvtxDomainRegisterStringA(domain, text));
			memset(text, '?', sizeof(text) - 1);
			nvtxMarkEx(&attributes);
			break;
		default:
			nvtxDomainMarkEx(nvtxDomainCreateA(text), &attributes);
			break;
		}
		memset(text, '!', sizeof(text) - 1);
		wmemset(wide, L'!', 15);
		memset(&attributes, 0xA5, sizeof(attributes));
		abuse_expected.events++;
	}
}
