# SPDX-License-Identifier: MIT
"""A stand-in for the parts of PyTorch that train.py and tests/gpu/run use. Its operators launch
kernels of the stand-in for libcuda.

FAKE_TORCH_CUDA and FAKE_TORCH_NVTX say where libcuda.so.1 and libnvToolsExt.so.1 are.
"""
import contextlib
import ctypes
import json
import os
import sys
import threading
import types

_nvtx = ctypes.CDLL(os.environ["FAKE_TORCH_NVTX"])
_nvtx.nvtxRangePushA.argtypes = [ctypes.c_char_p]
_state = types.SimpleNamespace(cuda=None, seen=None, emits=False, sequence=0)


class _Launch(ctypes.Structure):  # struct fake_launch
    _fields_ = [("name", ctypes.c_char_p), ("device", ctypes.c_uint32), ("stream", ctypes.c_uint32),
                ("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3), ("numbers", ctypes.c_uint32 * 4),
                ("node", ctypes.c_uint64), ("start", ctypes.c_uint64), ("end", ctypes.c_uint64),
                ("rest", ctypes.c_uint32 * 5)]


def _launch(name):
    if _state.cuda is None:
        _state.cuda = ctypes.CDLL(os.environ["FAKE_TORCH_CUDA"], mode=ctypes.RTLD_GLOBAL)
        _state.cuda.cuInit(0)
    if _state.seen is not None:
        _state.seen.append(name)
    _state.cuda.fake_launch_kernel(ctypes.byref(_Launch(
        name=name.encode(), stream=7, grid=(1, 1, 1), block=(32, 1, 1))))


@contextlib.contextmanager
def _range(name):
    _nvtx.nvtxRangePushA(name.encode())
    try:
        yield
    finally:
        _nvtx.nvtxRangePop()


def _op(name, sequence=None):
    """An operator: one kernel, and under emit_nvtx a range with its sequence number."""
    with _range("%s, seq = %d" % (name, sequence)) if _state.emits and sequence is not None else contextlib.nullcontext():
        _launch(name.split("::")[-1] + "_kernel")


class _Value:
    """A tensor, a model, an optimizer: each operation on it is a kernel, or nothing."""

    def __init__(self, sequence=0):
        self.sequence = sequence

    def __call__(self, *_):
        _state.sequence += 1
        _op("aten::addmm", _state.sequence)
        return _Value(_state.sequence)

    def __add__(self, _):
        _op("aten::add")
        return self

    __mul__ = __add__

    def relu(self):
        return self + 0

    def cuda(self):
        return self

    parameters = zero_grad = lambda self: None

    def step(self):
        _op("aten::sub")

    def backward(self):
        thread = threading.Thread(target=_op, args=("AddmmBackward0", self.sequence))
        thread.start()
        thread.join()


class _Profile:
    def __init__(self, **_):
        self.kernels = []

    def __enter__(self):
        _state.seen = self.kernels
        return self

    def __exit__(self, *_):
        _state.seen = None

    def export_chrome_trace(self, path):
        with open(path, "w") as file:
            json.dump({"traceEvents": [{"cat": "kernel", "name": name, "dur": 1.0} for name in self.kernels]}, file)


class _Loader:
    """Each worker is a process that ends silently, as PyTorch's workers do."""

    def __init__(self, dataset, batch_size, num_workers):
        self.batches = len(dataset) // batch_size
        self.workers = num_workers

    def __iter__(self):
        for _ in range(self.workers):
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        return iter([_Value() for _ in range(self.batches)])


@contextlib.contextmanager
def _emit_nvtx(**_):
    _state.emits = True
    yield
    _state.emits = False


def _make(*_, **__):
    return _Value()


ones = randn = randint = _make
manual_seed = compile = lambda value: value
cuda = types.SimpleNamespace(is_available=lambda: True, synchronize=lambda: None, nvtx=types.SimpleNamespace(range=_range))
nn = types.SimpleNamespace(Linear=_make, ReLU=_make, Sequential=_make,
                           functional=types.SimpleNamespace(cross_entropy=lambda value, _: value))
optim = types.SimpleNamespace(SGD=_make)
profiler = types.SimpleNamespace(profile=_Profile, ProfilerActivity=types.SimpleNamespace(CUDA=0, CPU=1))
autograd = types.SimpleNamespace(profiler=types.SimpleNamespace(emit_nvtx=_emit_nvtx))
utils = types.SimpleNamespace(data=types.SimpleNamespace(Dataset=object, DataLoader=_Loader))
sys.modules[__name__ + ".cuda"] = cuda
