# SPDX-License-Identifier: MIT
"""Finds the library that records this program, as ranges/nvtx.h and ranges/ranges.h do, and calls
it by ctypes.

The first call searches. Its result holds for the rest of the process, fork children included.
"""
import ctypes
import os
import struct
import threading

# NVTX's modules and the places of its functions in them.
_CORE, _CORE2, _MODULES, _SLOTS = 1, 5, 7, 16
_SIZES = (0, 16, 9, 15, 7, 16, 7)

_AT_SECURE = 23

# Results of start(), stop() and flush(), as in ranges/ranges.h.
DONE, WAS_SO, PLANNED, BUSY, NOTHING, FAILED, NOBODY = 0, 1, 2, 3, 4, 5, -1

# Number of the next step.
STEP_NEXT = 2**64 - 1


class _Callbacks(ctypes.Structure):
    _GET_MODULE = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint)
    )
    _fields_ = [("struct_size", ctypes.c_size_t), ("get_module", _GET_MODULE)]


class _Version(ctypes.Structure):
    _SET = ctypes.CFUNCTYPE(None, ctypes.c_uint32)
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("version", ctypes.c_uint32),
        ("reserved0", ctypes.c_uint32),
        ("set_version", _SET),
    ]


_GET_TABLE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)


class _Unit:
    """Tables of NVTX's functions, which the tool fills in. They stay for ever: it keeps their
    addresses."""

    def __init__(self):
        row = ctypes.c_void_p * _SLOTS
        addresses = ctypes.c_void_p * (_SLOTS + 1)
        self.slots = [row() for _ in range(_MODULES)]
        self.addresses = [addresses() for _ in range(_MODULES)]
        for module in range(_CORE, _MODULES):
            for slot in range(1, _SIZES[module]):
                self.addresses[module][slot] = (
                    ctypes.addressof(self.slots[module]) + slot * ctypes.sizeof(ctypes.c_void_p)
                )
        self.callbacks = _Callbacks(
            ctypes.sizeof(_Callbacks), _Callbacks._GET_MODULE(self._get_module)
        )
        self.version = _Version(
            ctypes.sizeof(_Version), 3, 0, _Version._SET(lambda version: None)
        )
        self.get_table = _GET_TABLE(self._get_table)

    def _get_module(self, module, out_table, out_size):
        if not _CORE <= module < _MODULES:
            return 0
        if out_table:
            out_table[0] = ctypes.addressof(self.addresses[module])
        if out_size:
            out_size[0] = _SIZES[module]
        return 1

    def _get_table(self, table):
        if table == 1:
            return ctypes.addressof(self.callbacks)
        return ctypes.addressof(self.version) if table == 3 else None

    def function(self, module, slot, result, *arguments):
        """A function of the tool; None if it has none. These functions are short, so the
        interpreter's lock is kept."""
        address = self.slots[module][slot]
        return ctypes.PYFUNCTYPE(result, *arguments)(address) if address else None


def _nothing(*_arguments):
    """Stands in for a function that the tool lacks."""


class Nvtx:
    """NVTX's calls of the tool. Handles are ints, None is the default domain; attributes are
    bytes."""

    def __init__(self, unit):
        handle, data, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32
        of = unit.function
        # Without attributes, in the default domain.
        self.push_text = of(_CORE, 9, ctypes.c_int, data) or _nothing
        self.begin_text = of(_CORE, 5, ctypes.c_uint64, data) or _nothing
        self.mark_text = of(_CORE, 2, None, data) or _nothing
        self.push = of(_CORE2, 4, ctypes.c_int, handle, data) or _nothing
        self.pop = of(_CORE2, 5, ctypes.c_int, handle) or _nothing
        self.begin = of(_CORE2, 2, ctypes.c_uint64, handle, data) or _nothing
        self.end = of(_CORE2, 3, None, handle, ctypes.c_uint64) or _nothing
        self.mark = of(_CORE2, 1, None, handle, data) or _nothing
        self.domain = of(_CORE2, 12, handle, data) or _nothing
        self.category = of(_CORE2, 8, None, handle, number, data) or _nothing


class Control:
    """libranges' own calls, as in ranges/ranges.h. Those that this libranges lacks do nothing."""

    _FIELDS = (
        ("handoff_capture", ctypes.c_uint64, ()),
        ("handoff_attach", None, (ctypes.c_uint64,)),
        ("handoff_detach", None, ()),
        ("cuda_release", None, ()),
        ("step", None, (ctypes.c_uint64, ctypes.c_char_p)),
        ("step_end", None, ()),
        ("start", ctypes.c_int, ()),
        ("stop", ctypes.c_int, ()),
        ("flush", ctypes.c_int, ()),
        ("warm", ctypes.c_int, ()),
        ("cycle", ctypes.c_uint64, ()),
        ("log", ctypes.c_int, (ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t)),
        ("snapshot", ctypes.c_int, (ctypes.c_char_p,)),
    )

    def __init__(self, address):
        word = ctypes.sizeof(ctypes.c_void_p)
        size = ctypes.c_size_t.from_address(address).value
        for place, (name, result, arguments) in enumerate(self._FIELDS, 1):
            function = None
            if (place + 1) * word <= size:
                pointer = ctypes.c_void_p.from_address(address + place * word).value
                # These functions may wait. Other threads of Python go on meanwhile.
                function = ctypes.CFUNCTYPE(result, *arguments)(pointer)
            setattr(self, name, function)


def _is_privileged():
    """True for a set-uid program, which must not run code that its caller names."""
    try:
        auxiliary = ctypes.CDLL(None).getauxval
        auxiliary.restype, auxiliary.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
        return auxiliary(_AT_SECURE) != 0
    except (AttributeError, OSError):
        return os.getuid() != os.geteuid()


def _borrow_library():
    """The library that records, and the name of its NVTX entry; None: nobody does."""
    name = "NVTX_INJECTION%d_PATH" % (8 * struct.calcsize("P"))
    path = os.environ.get(name)
    if path and not _is_privileged():
        return ctypes.CDLL(path), "InitializeInjectionNvtx2"
    return ctypes.CDLL(None), "ranges_nvtx_entry"


class _State:
    """The result of the search. `nvtx` and `control` are None if nobody records."""

    def __init__(self):
        self.lock = threading.RLock()
        self.is_known = False
        self.is_looking = False
        self.nvtx = None
        self.control = None
        self.unit = None

    def look(self):
        """Searches once; other threads wait. A nested call in a signal handler finds no tool."""
        with self.lock:
            if self.is_known or self.is_looking:
                return
            self.is_looking = True
            try:
                library, entry = _borrow_library()
                self._take_nvtx(library, entry)
                self._take_control(library)
            except OSError:
                pass  # as in NVTX, a path that does not work is no tool
            self.is_known = True

    def _take_nvtx(self, library, name):
        entry = getattr(library, name, None)
        if entry is None:
            return
        entry.argtypes, entry.restype = [_GET_TABLE], ctypes.c_int
        self.unit = _Unit()
        if entry(self.unit.get_table):
            self.nvtx = Nvtx(self.unit)

    def _take_control(self, library):
        entry = getattr(library, "ranges_entry", None)
        if entry is None:
            return
        entry.argtypes, entry.restype = [], ctypes.c_void_p
        address = entry()
        if address:
            self.control = Control(address)


state = _State()


def borrow_nvtx():
    """NVTX's calls, or None."""
    if not state.is_known:
        state.look()
    return state.nvtx


def borrow_control():
    """libranges' calls, or None."""
    if not state.is_known:
        state.look()
    return state.control


def is_known():
    """True if the search has been made."""
    return state.is_known
