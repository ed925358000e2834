/* SPDX-License-Identifier: MIT */
/* Schemas made with the helper macros: what a tool gets is the same with NVIDIA's headers. */
#ifdef NVIDIA_HEADER
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtPayloadHelper.h>
#else
#include <ranges/nvtx-payload-helper.h>
#endif

/* In the order of the optional arguments. */
/* cppcheck-suppress unknownMacro */
NVTX_DEFINE_STRUCT(plain, (double, fraction), (uint8_t, small), (float, three[3]))
NVTX_DEFINE_SCHEMA_FOR_STRUCT(plain, NVTX_PAYLOAD_ENTRIES((fraction, TYPE_DOUBLE),
                                                          (small, TYPE_UINT8, "small")))
NVTX_DEFINE_STRUCT_WITH_SCHEMA(named, "named",
                               NVTX_PAYLOAD_ENTRIES((int, index, TYPE_INT, "integer value"),
                                                    (double, value, TYPE_DOUBLE, "fraction",
                                                     "described")))
NVTX_DEFINE_STRUCT_WITH_SCHEMA(prefixed, "prefixed", static const,
                               NVTX_PAYLOAD_ENTRIES((uint64_t, only, TYPE_UINT64)))
NVTX_DEFINE_STRUCT_WITH_SCHEMA(flagged, "flagged", static, NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY,
                               NVTX_PAYLOAD_ENTRIES((size_t, length, TYPE_SIZE, "length"),
                                                    (char, (text, 24), TYPE_CSTRING, "text", NULL,
                                                     24),
                                                    (int16_t, (numbers, 5), TYPE_INT16, "numbers",
                                                     NULL, 5, ARRAY_FIXED_SIZE)))
NVTX_DEFINE_STRUCT_WITH_SCHEMA(
	identified, "identified", static, NVTX_PAYLOAD_SCHEMA_FLAG_NONE,
	NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 5,
	NVTX_PAYLOAD_ENTRIES((char, a, TYPE_CHAR), (char, b, TYPE_CHAR), (char, c, TYPE_CHAR),
                             (char, d, TYPE_CHAR), (char, e, TYPE_CHAR), (char, f, TYPE_CHAR),
                             (char, g, TYPE_CHAR), (char, h, TYPE_CHAR), (char, i, TYPE_CHAR),
                             (char, j, TYPE_CHAR), (char, k, TYPE_CHAR), (char, l, TYPE_CHAR),
                             (char, m, TYPE_CHAR), (char, n, TYPE_CHAR), (char, o, TYPE_CHAR)))

struct existing {
	uint32_t count;
	named inner;
};
typedef struct existing existing_t;

int main(void)
{
	const nvtxDomainHandle_t domain = nvtxDomainCreateA("helper");
	uint64_t id = NVTX_PAYLOAD_SCHEMA_REGISTER(domain, plain) nvtxRangeId_t range;

	id += NVTX_PAYLOAD_SCHEMA_REGISTER(domain, named) id +=
		NVTX_PAYLOAD_SCHEMA_REGISTER(domain, prefixed) id +=
		NVTX_PAYLOAD_SCHEMA_REGISTER(domain, flagged) id +=
		NVTX_PAYLOAD_SCHEMA_REGISTER(domain, identified) range = id;
	{
		NVTX_DEFINE_SCHEMA_FOR_STRUCT_AND_REGISTER(
			domain, existing_t, "existing",
			NVTX_PAYLOAD_ENTRIES((count, TYPE_UINT32, "count"),
		                             (inner, NVTX_PAYLOAD_NESTED(range), "inner")))
		NVTX_DEFINE_STRUCT_WITH_SCHEMA_AND_REGISTER(
			domain, local, NVTX_PAYLOAD_ENTRIES((int8_t, tiny, TYPE_INT8, "tiny")))
		const local value = { 3 };
		const nvtxPayloadData_t data = { local_schemaId, sizeof(value), &value };

		nvtxMarkPayload(domain, &data, existing_t_schemaId != 0);
	}
	return 0;
}
