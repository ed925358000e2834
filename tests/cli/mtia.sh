# SPDX-License-Identifier: MIT
# Work of devices other than CUDA's and HIP's is recognized: MTIA's, and work of unknown categories
cat >mtia.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":7,"ts":0,"dur":1000},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":10,"dur":100,"args":{"External id":1}},
{"ph":"X","cat":"mtia_runtime","name":"runFunction - job_prep_and_submit_for_execution","pid":7,"tid":7,"ts":20,"dur":50,"args":{"correlation":1,"External id":1}},
{"ph":"X","cat":"mtia_ccp_events","name":"fc_kernel","pid":0,"tid":3,"ts":100,"dur":300,"args":{"device":0,"stream":3,"correlation":1,"External id":1}},
{"ph":"X","cat":"mtia_runtime","name":"runFunction - job_prep_and_submit_for_execution","pid":7,"tid":7,"ts":120,"dur":50,"args":{"correlation":2}},
{"ph":"X","cat":"mtia_ccp_events","name":"fc_kernel","pid":0,"tid":3,"ts":500,"dur":200,"args":{"device":0,"stream":3,"correlation":2}}
]}
JSON
sed 's/mtia_ccp_events/npu_work/' mtia.json >npu.json
for file in mtia npu; do
	analyzer "$file.json" | sed '/^captured/,$!d'
	analyzer stats "$file.json" -r key_averages -f csv 2>/dev/null
done
for report in temporal idle launch queue; do
	analyzer stats --compat=hta mtia.json -r "$report" -f csv 2>/dev/null
done
