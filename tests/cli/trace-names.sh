# SPDX-License-Identifier: MIT
# Names of processes and threads of traces, with negative tids and words for tids, in tables and timelines
cat >a.json <<'JSON'
{"traceEvents":[
{"ph":"M","name":"process_name","pid":25738,"tid":0,"args":{"name":"python"}},
{"ph":"M","name":"thread_name","pid":25738,"tid":25738,"args":{"name":"thread 25738 (python)"}},
{"ph":"M","name":"thread_name","pid":25738,"tid":-5,"args":{"name":"loader"}},
{"ph":"X","cat":"cpu_op","name":"a","pid":25738,"tid":25738,"ts":1,"dur":5},
{"ph":"X","cat":"cpu_op","name":"b","pid":25738,"tid":-5,"ts":1,"dur":5},
{"ph":"X","cat":"cpu_op","name":"b","pid":25738,"tid":-6,"ts":1,"dur":5},
{"ph":"X","cat":"cpu_op","name":"b","pid":25738,"tid":"main loop","ts":1,"dur":5},
{"ph":"X","cat":"cpu_op","name":"c","pid":25738,"tid":0,"ts":1,"dur":5}]}
JSON
analyzer a.json | sed -n 2p
analyzer stats -r threads a.json
analyzer a.json -o - | grep -o '"[a-z]*_name".*'
analyzer a.json -o b.json
analyzer b.json | sed -n 2p
