# SPDX-License-Identifier: MIT
# A kernel's full name tells whether it uses tensor cores, whatever form of the name is shown
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="ProfilerStep#1"
event 1 1 9000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=10 tid=7 corr=1 kind=1
event 3 1 1200 kernel name="void cutlass::Kernel2<cutlass_80_tensorop_bf16_s1688gemm_64x64_nn_align1>(P)" dur=300 context=1 queue=7 corr=1
event 3 2 1500 api name="cudaLaunchKernel" dur=10 tid=7 corr=2 kind=1
event 3 3 1600 kernel name="void cutlass::Kernel2<cutlass_80_simt_sgemm_32x32_nn_align1>(P)" dur=100 context=1 queue=7 corr=2
event 3 4 1800 api name="cudaLaunchKernel" dur=10 tid=7 corr=3 kind=1
event 3 5 1900 kernel name="void a::gemm<wmma<1> >(int)" dur=150 context=1 queue=7 corr=3
event 3 6 2100 api name="cudaLaunchKernel" dur=10 tid=7 corr=4 kind=1
event 3 7 2200 kernel name="void a::gemm<simt>(int)" dur=50 context=1 queue=7 corr=4
end status="clean"
LOG
for form in full short base; do
	analyzer stats a.bin --report kernels --kernel-name $form --format csv 2>/dev/null | awk -F , '{ print $1, $3, $10 }'
done
analyzer stats a.bin --report kernels --rename 's/.*/k/' --format csv 2>/dev/null | awk -F , '{ print $1, $3, $10 }'
analyzer stats a.bin --report gpu --format csv 2>/dev/null | awk -F , '{ print $6 }'
