-- What a trace holds, in lines to be sorted: the same of JSON and of protobuf.
create perfetto table row_names as
select tt.id, 'thread ' || p.pid || ' ' || t.tid || ' ' || p.name || ' ' || t.name as row
from thread_track tt join thread t using (utid) join process p using (upid)
union all
select pt.id, 'process ' || p.pid || ' ' || p.name as row
from process_track pt join process p using (upid);

select 'slice', row, ts, dur, iif(row glob 'process*', 0, depth), category, name,
	(select group_concat(line, '; ') from (
		select substr(key, instr(key, '.') + 1) || '=' || coalesce(string_value, int_value, real_value) as line
		from args a where a.arg_set_id = s.arg_set_id and key glob '*.*'
			and key not glob 'source*' and key not glob 'legacy_event*'
		order by 1))
from slice s join row_names r on s.track_id = r.id;

select 'flow', r.row, o.ts, o.name, q.row, i.ts, i.name
from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id
	join row_names r on o.track_id = r.id join row_names q on i.track_id = q.id;

-- What is launched by one call and drawn as another's.
select 'untrue', o.ts, o.name, i.ts, i.name
from flow f join slice o on f.slice_out = o.id join slice i on f.slice_in = i.id
where i.category in ('kernel', 'gpu_memcpy', 'gpu_memset')
	and coalesce(extract_arg(o.arg_set_id, 'args.correlation'), extract_arg(o.arg_set_id, 'debug.correlation'))
		is not coalesce(extract_arg(i.arg_set_id, 'args.correlation'), extract_arg(i.arg_set_id, 'debug.correlation'));

select 'counter', p.pid, p.name, t.name, c.ts, c.value
from counter c join process_counter_track t on c.track_id = t.id join process p using (upid);

-- Marks of a profiler are of no process, and JSON's alone.
select 'slices', count(*) from slice
where track_id not in (select id from track where type = 'legacy_chrome_global_instants');
select 'error', name, value from stats where severity in ('error', 'data_loss') and value > 0;
