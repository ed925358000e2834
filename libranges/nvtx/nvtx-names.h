/* SPDX-License-Identifier: MIT */
/* NVTX's calls that name things: made once per name, so they may take a lock. */
#ifndef RCAP_NVTX_NAMES_H
#define RCAP_NVTX_NAMES_H

#include <stdint.h>
#include <wchar.h>

/* Signatures are NVTX's. NULL texts are ignored; domains may be NULL or wild, which is the default
 * one. */
void rcap_nvtx_names_category_a(uint32_t category, const char *text);
void rcap_nvtx_names_category_w(uint32_t category, const wchar_t *text);
void rcap_nvtx_names_domain_category_a(const void *domain, uint32_t category, const char *text);
void rcap_nvtx_names_domain_category_w(const void *domain, uint32_t category, const wchar_t *text);
void rcap_nvtx_names_os_thread_a(uint32_t tid, const char *text);
void rcap_nvtx_names_os_thread_w(uint32_t tid, const wchar_t *text);
const void *rcap_nvtx_names_create_domain_a(const char *text);
const void *rcap_nvtx_names_create_domain_w(const wchar_t *text);
const void *rcap_nvtx_names_register_string_a(const void *domain, const char *text);
const void *rcap_nvtx_names_register_string_w(const void *domain, const wchar_t *text);
void rcap_nvtx_names_destroy_domain(const void *domain);
void rcap_nvtx_names_initialize(const void *reserved);

#endif
