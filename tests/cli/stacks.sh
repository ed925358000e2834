# SPDX-License-Identifier: MIT
# --group-by stack: call stacks from args, else from the Python functions around, by their ids or by time
cat >trace.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"python_function","name":"main.py(9): main","pid":1,"tid":1,"ts":0,"dur":100,"args":{"Python id":1,"Python parent id":null}},
{"ph":"X","cat":"python_function","name":"net.py(3): forward","pid":1,"tid":1,"ts":10,"dur":30,"args":{"Python id":2,"Python parent id":1}},
{"ph":"X","cat":"python_function","name":"lost.py(1): outer","pid":1,"tid":1,"ts":50,"dur":30,"args":{"Python id":3,"Python parent id":77}},
{"ph":"X","cat":"python_function","name":"tail.py(2): call","pid":1,"tid":1,"ts":55,"dur":10,"args":{"Python id":4,"Python parent id":1}},
{"ph":"X","cat":"python_function","name":"loop.py(5): itself","pid":1,"tid":3,"ts":0,"dur":50,"args":{"Python id":5,"Python parent id":5}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":5,"args":{"flops":1000}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":20,"dur":5,"args":{"flops":1000}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":40,"dur":1},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":51,"dur":1},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":56,"dur":1},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":60,"dur":1,"args":{"Call stack":"told.py(1): f;told.py(2): g"}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":100,"dur":1},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":20,"dur":1},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":3,"ts":20,"dur":1}
]}
JSON
# Calls and stack.
analyzer stats trace.json --report key_averages --group-by stack --format tsv 2>/dev/null | awk -F '\t' '{ print $1 "|" $13 "|" $14 "|" $15 }'
analyzer stats trace.json --report operators --group-by name,stack --format csv 2>/dev/null
analyzer stats trace.json --python --report key_averages --group-by stack --format tsv 2>/dev/null | awk -F '\t' '$1 ~ /py/ { print $1 "|" $14 }'
# The torch form keeps the last 72 characters of a long one.
sed 's|told.py(1): f;|/a/long/path/of/many/folders/before/that/of/the/file/that/is/the/one/that/is/told.py(1): f;|' trace.json >long.json
analyzer stats long.json --report key_averages --group-by stack --format torch 2>/dev/null | grep -o '[^ ]*told.py(1).*' | sed 's/ *$/|/'
