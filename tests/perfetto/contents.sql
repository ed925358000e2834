-- What a trace holds, in lines to be sorted: the same of JSON and of protobuf.
create perfetto view rows_of_slices as
select s.*, 'thread ' || p.pid || ' ' || t.tid || ' ' || p.name || ' ' || t.name as row
from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid) join process p using (upid)
union all
select s.*, 'process ' || p.pid || ' ' || p.name as row
from slice s join process_track pt on s.track_id = pt.id join process p using (upid);

select 'slice', row, ts, dur, iif(row glob 'process*', 0, depth), category, name,
	(select group_concat(line, '; ') from (
		select substr(key, instr(key, '.') + 1) || '=' || coalesce(string_value, int_value, real_value) as line
		from args a where a.arg_set_id = r.arg_set_id and key glob '*.*'
			and key not glob 'source*' and key not glob 'legacy_event*'
		order by 1))
from rows_of_slices r;

select 'flow', o.row, o.ts, o.name, i.row, i.ts, i.name
from flow f join rows_of_slices o on f.slice_out = o.id join rows_of_slices i on f.slice_in = i.id;

select 'counter', p.pid, p.name, t.name, c.ts, c.value
from counter c join process_counter_track t on c.track_id = t.id join process p using (upid);

-- Marks of a profiler are of no process, and JSON's alone.
select 'slices', count(*) from slice
where track_id not in (select id from track where type = 'legacy_chrome_global_instants');
select 'error', name, value from stats where severity in ('error', 'data_loss') and value > 0;
