# SPDX-License-Identifier: MIT
"""torch.profiler's schedule() and profile(), with the same names. They record a log."""
import enum
import os
import socket
import sys
import time
import warnings

from . import _annotate, _averages, _control, _read, _tool


class ProfilerAction(enum.Enum):
    """The action of a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class ProfilerActivity(enum.Enum):
    """Accepted and ignored: `ranges run --cuda` decides what is recorded on GPUs."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Which steps are recorded: after skip_first steps each cycle is wait steps off, warmup steps
    dropped and active steps recorded. repeat=0: until the program ends. skip_first_wait=1: the
    first cycle has no wait."""
    for name, value in dict(wait=wait, warmup=warmup, repeat=repeat, skip_first=skip_first).items():
        if value < 0:
            raise ValueError("%s is a number of steps, not %r" % (name, value))
    if active < 1:
        raise ValueError("active is at least 1, not %r" % (active,))
    length = wait + warmup + active

    def decide(step):
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        if repeat and step >= repeat * length:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    return decide


def _record_always(_step):
    return ProfilerAction.RECORD


def _has_settings():
    """True if the user's settings already decide when the capture is on."""
    names = ("SCHEDULE", "CAPTURE_RANGE", "DELAY", "DURATION", "STANDBY")
    return any(os.environ.get("RANGES_" + name) for name in names)


class profile:
    """Records the steps that schedule names, a log for each cycle, and nothing besides.

        with ranges.profile(schedule=ranges.schedule(wait=1, warmup=1, active=2),
                            on_trace_ready=lambda p: print(p.path)) as p:
            for batch in data:
                train(batch)
                p.step()

    schedule: of schedule(), or a function from the number of a step to a ProfilerAction, also
    torch's; without one everything is recorded. on_trace_ready: gets this object as soon as a log
    is complete; its `path` is the log. All other arguments are torch.profiler's and are ignored.
    """

    def __init__(
        self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False,
        profile_memory=False, with_stack=False, with_flops=False, with_modules=False,
        experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None,
        custom_trace_id_callback=None, post_processing_timeout_s=None,
    ):  # fmt: skip
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.path = None  # of the log that was completed last
        self.paths = []  # of all so far
        self._schedule = schedule or _record_always
        self._action = ProfilerAction.NONE
        self._is_planned = False  # `ranges run --schedule` decides
        self._told = 0  # cycles whose logs were passed on
        self._has_warned = False

    # ---- What decides ----

    def _decide(self):
        """torch's own actions have the same names."""
        return ProfilerAction[self._schedule(self.step_num).name]

    def _switch(self, action):
        """Puts the capture into the phase of a step."""
        switch = {ProfilerAction.NONE: _control.stop, ProfilerAction.WARMUP: _control.warm}
        result = switch.get(action, _control.start)()
        self._is_planned = result == _control.PLANNED
        self._action = action

    def _is_on(self):
        return self._action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def _hand_over(self, cycle, timeout):
        path = _control.log(cycle, timeout)
        if path is None:
            return False
        self._told = cycle
        self.path = path
        self.paths.append(path)
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)
        return True

    def _close(self):
        """Ends a cycle: passes its log on."""
        cycle = _control.borrow_cycle()
        result = _control.stop()
        self._action = ProfilerAction.NONE
        if result == _control.DONE and not self._hand_over(cycle, _control._WAIT_S):
            warnings.warn(
                "ranges: the log of cycle %d is not complete" % cycle, RuntimeWarning, stacklevel=3
            )

    def _look_for_logs(self, timeout=0.0):
        """If others decide, passes their cycles' logs on as they are closed."""
        while self._told < _control.borrow_cycle():
            if not self._hand_over(self._told + 1, timeout):
                return

    # ---- torch.profiler's calls ----

    def start(self):
        """Begins step 0."""
        if not _tool.is_known() and not _has_settings():
            # The capture begins, switched off, with our first call. Children that we start do the
            # same.
            os.environ["RANGES_STANDBY"] = "on"
        self.step_num = 0
        self._told = _control.borrow_cycle()
        _control.stop()
        self._switch(self._decide())
        if self._is_planned:
            self._told = 0
        _control.step(0)

    def step(self):
        """Ends a step and begins the next one."""
        self.step_num += 1
        action = self._decide()
        if self._is_planned:
            _control.step(self.step_num)
            self._look_for_logs()
            return
        if self._action is ProfilerAction.RECORD_AND_SAVE or (
            self._is_on() and action in (ProfilerAction.NONE, ProfilerAction.WARMUP)
        ):
            self._close()
        self._switch(action)
        _control.step(self.step_num)

    def stop(self):
        """Ends the last step."""
        _control.step_end()
        if self._is_planned:
            self._look_for_logs(0.1)
        elif self._is_on():
            self._close()
        else:
            _control.stop()
            self._action = ProfilerAction.NONE

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_exception):
        self.stop()

    # ---- The last log ----

    def __fspath__(self):
        """Lets this object be passed as the path of its log."""
        if self.path is None:
            raise FileNotFoundError("ranges: no log is complete yet")
        return self.path

    def _is_empty(self):
        """True if nobody records. Then there is no log, and a line says so once. A script that is
        run without `ranges run` goes on."""
        if self.path is not None or _tool.borrow_control() is not None:
            return False
        if not self._has_warned:
            self._has_warned = True
            print(
                "ranges: nobody records this program: the profile is empty (\"ranges run -- python3 "
                "SCRIPT\" records it)",
                file=sys.stderr,
            )
        return True

    def export_chrome_trace(self, path):
        """Writes the log as a timeline in Chrome's JSON, packed if the name ends in .gz."""
        if not self._is_empty():
            _read.export(self, path)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Writes stacks of ranges for flame graphs, one on each line, with their self time in ns.

        metric: "self_cpu_time_total", or "self_cuda_time_total" for kernels in the ranges that
        launched them. These are stacks of ranges: Python's functions are not recorded.
        """
        forms = {
            "self_cpu_time_total": "folded",
            "self_cuda_time_total": "folded-gpu",
            "self_device_time_total": "folded-gpu",
        }
        if metric not in forms:
            raise ValueError("metric is one of %s, not %r" % (", ".join(forms), metric))
        if not self._is_empty():
            _read.export(self, path, options=["--to", forms[metric]])

    def add_metadata(self, key, value):
        """Adds a remark to the timeline: an instant "key: value" of the domain "metadata"."""
        _annotate.mark("%s: %s" % (key, value), domain="metadata")

    add_metadata_json = add_metadata

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, **_unused):
        """The log's figures by name: print(p.key_averages().table(sort_by="cuda_time_total"))."""
        groups = ["shape"] * bool(group_by_input_shape) + ["stack"] * bool(group_by_stack_n)
        options = ["--group-by", ",".join(groups)] if groups else []
        return _averages.Averages(None if self._is_empty() else os.fspath(self), options)

    def events(self):
        """The log's events, as read() gives them, as a list."""
        return [] if self._is_empty() else _read.read(self, frame=False)

    def __getattr__(self, name):
        raise AttributeError(
            "ranges.profile has no %s; of torch.profiler's calls it has step, export_chrome_trace, "
            "export_stacks, key_averages, events and add_metadata" % name
        )


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """For on_trace_ready: writes each log as a timeline DIR/WORKER.TIME.pt.trace.json."""

    def handle(prof):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or "%s_%d" % (socket.gethostname(), os.getpid())
        name = "%s.%d.pt.trace.json%s" % (worker, time.time_ns(), ".gz" if use_gzip else "")
        prof.export_chrome_trace(os.path.join(dir_name, name))

    return handle
