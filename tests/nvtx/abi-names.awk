# SPDX-License-Identifier: MIT
# Adds NVIDIA's names to the list of our internal headers' declarations: a value, or a type and a
# member. Names that follow a rule need no line here. "-" means that NVIDIA has no such name.

# MARK_EX to MarkEx, and payload_size to payloadSize.
function camel(name, first, n, i, parts, text)
{
	n = split(tolower(name), parts, "_")
	text = ""
	for (i = 1; i <= n; i++) {
		text = text (i > 1 || first ? toupper(substr(parts[i], 1, 1)) : substr(parts[i], 1, 1)) \
			substr(parts[i], 2)
	}
	return text
}

# Whether name begins with prefix; sets rest.
function has(name, prefix)
{
	if (index(name, prefix) != 1) {
		return 0
	}
	rest = substr(name, length(prefix) + 1)
	return 1
}

function value_of(name)
{
	name = substr(name, length("RCAP_NVTX_") + 1)
	if (name in values) { return values[name] }
	if (name ~ /_COUNT$/) { return "-" }
	if (has(name, "ETID_")) { return "NVTX_ETID_" rest }
	if (has(name, "MODULE_")) { return "NVTX_CB_MODULE_" rest }
	if (has(name, "CLASS_")) { return "NVTX_RESOURCE_CLASS_" rest }
	if (has(name, "MESSAGE_")) { return "NVTX_MESSAGE_TYPE_" rest }
	if (has(name, "EXT_")) { return "NVTX_EXT_" rest "_MODULEID" }
	if (has(name, "COMPAT_")) { return "NVTX_EXT_" rest "_COMPATID" }
	if (has(name, "SLOT_")) { return "NVTX3EXT_CBID_nvtx" camel(rest, 1) }
	if (has(name, "ENTRY_")) { return "NVTX_PAYLOAD_ENTRY_FLAG_" rest }
	if (has(name, "TYPE_")) { return "NVTX_PAYLOAD_ENTRY_TYPE_" rest }
	if (has(name, "SCHEMA_FIELD_")) { return "NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_" rest }
	if (name ~ /^SCHEMA_(INVALID|STATIC|DYNAMIC|UNION)$/) {
		return "NVTX_PAYLOAD_SCHEMA_TYPE_" substr(name, 8)
	}
	if (has(name, "SCHEMA_")) { return "NVTX_PAYLOAD_SCHEMA_FLAG_" rest }
	if (has(name, "ENUM_FIELD_")) { return "NVTX_PAYLOAD_ENUM_ATTR_FIELD_" rest }
	if (has(name, "SCOPE_")) {
		return "NVTX_SCOPE_" (rest ~ /^(NONE|ROOT)$/ ? "" : "CURRENT_") rest
	}
	if (has(name, "TIMESTAMP_")) {
		if (rest ~ /^(REALTIME|MONOTONIC|BOOTTIME|PROCESS|THREAD)/) {
			rest = "CPU_CLOCK_GETTIME_" rest (rest ~ /CPUTIME/ ? "_ID" : "")
		}
		return "NVTX_TIMESTAMP_TYPE_" rest
	}
	if (has(name, "TIMER_SOURCE_")) {
		return "NVTX_TIMER_SOURCE_" rest "_CALL_AFTER_PROCESS_TEARDOWN"
	}
	if (has(name, "TIMER_START_")) { return "NVTX_TIMER_START_" rest }
	if (has(name, "TIMER_")) { return "NVTX_TIMER_FLAG_CLOCK_" rest }
	if (has(name, "BATCH_SORTED")) { return "NVTX_BATCH_FLAG_TIME_SORTED" rest }
	if (has(name, "SEMANTIC_")) { return "NVTX_SEMANTIC_ID_" rest "_V1" }
	if (name ~ /^COUNTER_(NORMALIZE|LIMIT_MIN|LIMIT_MAX)$/) {
		return "NVTX_COUNTER_FLAG_" substr(name, 9)
	}
	if (name ~ /^COUNTER_(LIMIT|SAMPLE)_/) { return "NVTX_" name }
	if (name ~ /^COUNTER_(ABSOLUTE|DELTA)/) {
		return "NVTX_COUNTER_FLAG_VALUETYPE_" substr(name, 9)
	}
	if (name ~ /^COUNTER_(POINT|SINCE|UNTIL|LINEAR)/) {
		return "NVTX_COUNTER_FLAG_INTERPOLATION_" substr(name, 9)
	}
	if (has(name, "MEM_HEAP_")) { return "NVTX_MEM_HEAP_USAGE_TYPE_" rest }
	if (has(name, "MEM_REF_")) { return "NVTX_MEM_REGION_REF_TYPE_" rest }
	if (has(name, "MEM_BIND_")) { return "NVTX_MEM_PERMISSIONS_BIND_SCOPE_" rest }
	if (name ~ /^MEM_(VIRTUAL|CUDA|CU)_/) { return "NVTX_MEM_TYPE_" substr(name, 5) }
	if (has(name, "MEM_")) { return "NVTX_MEM_PERMISSIONS_REGION_FLAGS_" rest }
	# Ids of the core's functions.
	if (name ~ /^NAME_CUDA_/) { return "NVTX_CBID_CUDART_" camel(name, 1) }
	if (name ~ /^NAME_CU_/) { return "NVTX_CBID_CUDA_" camel(name, 1) }
	if (name ~ /^NAME_CL_/) { return "NVTX_CBID_OPENCL_" camel(name, 1) }
	if (name ~ /^SYNC_/) { return "NVTX_CBID_SYNC_Domain" camel(name, 1) }
	if (name ~ /^(DOMAIN_|INITIALIZE)/) { return "NVTX_CBID_CORE2_" camel(name, 1) }
	if (name ~ /^(MARK|RANGE|NAME)_/) { return "NVTX_CBID_CORE_" camel(name, 1) }
	return "?"
}

function type_of(name)
{
	sub(/^(struct|union) rcap_nvtx_/, "", name)
	return name in types ? types[name] : "?"
}

function member_of(type, name)
{
	sub(/^(struct|union) rcap_nvtx_/, "", type)
	if ((type "." name) in members) { return members[type "." name] }
	return name in members ? members[name] : camel(name, 0)
}

BEGIN {
	split("NO_TRACKING NVTX_NO_PUSH_POP_TRACKING MESSAGE_NONE NVTX_MESSAGE_UNKNOWN " \
		"MESSAGE_WIDE NVTX_MESSAGE_TYPE_UNICODE " \
		"COLOR_ARGB NVTX_COLOR_ARGB PAYLOAD_TYPE_EXT NVTX_PAYLOAD_TYPE_EXT " \
		"EXT_MEM NVTX_EXT_MODULEID_MEM COMPAT_MEM NVTX_EXT_COMPATID_MEM " \
		"COMPAT_PAYLOAD_OLD - ENTRY_ARRAY_MASK - TYPE_RANGE_ID - " \
		"TYPE_INFO_COUNT NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE " \
		"SLOT_SCHEMA_REGISTER NVTX3EXT_CBID_nvtxPayloadSchemaRegister " \
		"SLOT_ENUM_REGISTER NVTX3EXT_CBID_nvtxPayloadEnumRegister " \
		"SLOT_MARK NVTX3EXT_CBID_nvtxMarkPayload " \
		"SLOT_RANGE_PUSH NVTX3EXT_CBID_nvtxRangePushPayload " \
		"SLOT_RANGE_POP NVTX3EXT_CBID_nvtxRangePopPayload " \
		"SLOT_RANGE_START NVTX3EXT_CBID_nvtxRangeStartPayload " \
		"SLOT_RANGE_END NVTX3EXT_CBID_nvtxRangeEndPayload " \
		"TYPE_REGISTERED_STRING NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE " \
		"TYPE_SCHEMA_REFERENCED NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED " \
		"TYPE_SCHEMA_RAW NVTX_TYPE_PAYLOAD_SCHEMA_RAW " \
		"ID_STATIC_START NVTX_PAYLOAD_SCHEMA_ID_STATIC_START " \
		"ID_DYNAMIC_START NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START " \
		"SCHEMA_UNION_INTERNAL NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR " \
		"SEMANTICS_TIME_VERSION NVTX_TIME_SEMANTIC_VERSION " \
		"SEMANTICS_COUNTER_VERSION NVTX_COUNTER_SEMANTIC_VERSION " \
		"BATCH_UNSORTED NVTX_BATCH_FLAG_UNSORTED " \
		"COUNTER_BATCH_BEGIN_INTERVAL NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR " \
		"COUNTER_BATCH_END_INTERVAL NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR", list, " ")
	for (i = 1; i in list; i += 2) { values[list[i]] = list[i + 1] }
	split("callbacks NvtxExportTableCallbacks version_info NvtxExportTableVersionInfo " \
		"payload - attributes nvtxEventAttributes_t " \
		"resource_attributes nvtxResourceAttributes_t " \
		"sync_attributes nvtxSyncUserAttributes_t " \
		"ext_segment nvtxExtModuleSegment_t ext_info nvtxExtModuleInfo_t " \
		"type_info nvtxPayloadEntryTypeInfo_t payload_data nvtxPayloadData_t " \
		"semantics nvtxSemanticsHeader_t semantics_scope nvtxSemanticsScope_t " \
		"semantics_time nvtxSemanticsTime_t semantics_counter nvtxSemanticsCounter_t " \
		"schema_entry nvtxPayloadSchemaEntry_t schema_attributes nvtxPayloadSchemaAttr_t " \
		"enum_entry nvtxPayloadEnum_t enum_attributes nvtxPayloadEnumAttr_t " \
		"scope_attributes nvtxScopeAttr_t time_domain_attributes nvtxTimeDomainAttr_t " \
		"sync_point nvtxSyncPoint_t event_batch nvtxEventBatch_t " \
		"counter_attributes nvtxCounterAttr_t counter_batch nvtxCounterBatch_t " \
		"mem_region_ref nvtxMemRegionRef_t mem_heap_desc nvtxMemHeapDesc_t " \
		"mem_virtual_range nvtxMemVirtualRangeDesc_t " \
		"mem_array_range nvtxMemCudaArrayRangeDesc_t " \
		"mem_register_batch nvtxMemRegionsRegisterBatch_t " \
		"mem_region_batch nvtxMemRegionsResizeBatch_t " \
		"mem_unregister_batch nvtxMemRegionsUnregisterBatch_t " \
		"mem_name_desc nvtxMemRegionNameDesc_t mem_name_batch nvtxMemRegionsNameBatch_t " \
		"mem_assign_desc nvtxMemPermissionsAssignRegionDesc_t " \
		"mem_assign_batch nvtxMemPermissionsAssignBatch_t", list, " ")
	for (i = 1; i in list; i += 2) { types[list[i]] = list[i + 1] }
	split("ext_compat_id extCompatID attributes.reserved reserved0 " \
		"callbacks.struct_size struct_size version_info.struct_size struct_size " \
		"callbacks.get_module_function_table GetModuleFunctionTable " \
		"version_info.reserved reserved0 " \
		"version_info.set_injection_nvtx_version SetInjectionNvtxVersion " \
		"ext_info.nvtx_version nvtxVer ext_info.segment_count segmentsCount " \
		"ext_segment.slots functionSlots " \
		"resource_attributes.identifier identifier.ullValue", list, " ")
	for (i = 1; i in list; i += 2) { members[list[i]] = list[i + 1] }
}

$1 == "V" { print $0, value_of($2) }
$1 == "S" { type = substr($0, 3); print $1, type "|" type_of(type) }
$1 == "M" {
	type = $2 " " $3
	print $1, type "." $4 "|" type_of(type) "|" member_of(type, $4)
}
