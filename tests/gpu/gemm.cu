/* SPDX-License-Identifier: MIT */
/* Ten products of matrices by cuBLAS in the range "gemm". Prints lines "KEY VALUE". */
#include <cublas_v2.h>

#include "common.cuh"

#define SIZE  512
#define CALLS 10

int main(void)
{
	const float one = 1;
	const float zero = 0;
	cublasHandle_t blas;
	float *matrices;

	CHECK(cudaMalloc((void **) &matrices, sizeof(float) * 3 * SIZE * SIZE));
	CHECK(cudaMemset(matrices, 0, sizeof(float) * 3 * SIZE * SIZE));
	if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) {
		fprintf(stderr, "cublasCreate failed\n");
		return 2;
	}
	nvtxRangePushA("gemm");
	for (int i = 0; i < CALLS; i++) {
		if (cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, SIZE, SIZE, SIZE, &one, matrices,
		                SIZE, matrices + SIZE * SIZE, SIZE, &zero,
		                matrices + 2 * SIZE * SIZE, SIZE) != CUBLAS_STATUS_SUCCESS) {
			fprintf(stderr, "cublasSgemm failed\n");
			return 2;
		}
	}
	nvtxRangePop();
	CHECK(cudaDeviceSynchronize());
	printf("gemm_calls %d\n", CALLS);
	cublasDestroy(blas);
	CHECK(cudaFree(matrices));
	return 0;
}
