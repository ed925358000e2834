/* SPDX-License-Identifier: MIT */
/* NVTX's calls that define what payloads mean: schemas, enums, scopes. */
#ifndef RCAP_NVTX_SCHEMAS_H
#define RCAP_NVTX_SCHEMAS_H

#include "libranges/abi/nvtx-abi-payload.h"

/*
 * Signatures are NVTX's. Attributes may be garbage: nothing in them is followed but through the
 * kernel, and only where the rest makes sense. What makes none gets an id without a meaning.
 *
 * Return: the id; 0 for NULL, or where nothing is recorded.
 * Context: any thread; errno is kept.
 */
uint64_t rcap_nvtx_schemas_register_schema(const void *domain,
                                           const struct rcap_nvtx_schema_attributes *attributes);
uint64_t rcap_nvtx_schemas_register_enum(const void *domain,
                                         const struct rcap_nvtx_enum_attributes *attributes);
uint64_t rcap_nvtx_schemas_register_scope(const void *domain,
                                          const struct rcap_nvtx_scope_attributes *attributes);

#endif
