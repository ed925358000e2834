# SPDX-License-Identifier: MIT
"""Ranges and marks: annotate() as context and decorator, push(), pop(), begin(), end(), mark()."""
import ctypes
import functools
import inspect
import struct
import sys
import threading
import warnings

from . import _tool

# nvtxEventAttributes_t: version, size, category, colorType, color, payloadType, reserved0, payload,
# messageType, message.
_ATTRIBUTES = struct.Struct("@HHIiIii8siP")
_VERSION, _ARGB, _UTF8 = 3, 1, 1
_NONE, _UINT64, _INT64, _DOUBLE = 0, 1, 2, 3
_NO_PAYLOAD = bytes(8)
_PACK_INT64 = struct.Struct("@q").pack

# Frames that may be suspended and resumed, even on another thread: generators, coroutines, and both
# in one.
_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

# The number of distinct events whose attributes are kept. If there are more, all are made again.
_MAX_EVENTS = 4096

# CSS' names of colours that are common for ranges.
_COLOURS = {
    "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "white": 0xFFFFFF,
    "maroon": 0x800000, "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF,
    "magenta": 0xFF00FF, "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000,
    "yellow": 0xFFFF00, "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF,
    "cyan": 0x00FFFF, "orange": 0xFFA500, "pink": 0xFFC0CB, "brown": 0xA52A2A,
    "rapids": 0x7400FF,
}  # fmt: skip

# annotate._handle of a range that was never open.
_CLOSED = False

_lock = threading.RLock()
_domains = {None: None, "": None}
_categories = {}
_events = {}


def _complain(text):
    """Values that cannot be recorded are left out, because the program must go on."""
    warnings.warn("ranges: " + text, RuntimeWarning, stacklevel=4)


def _encode(text):
    try:
        return text.encode()
    except AttributeError:
        return text if isinstance(text, bytes) else str(text).encode("utf-8", "replace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _find_domain(nvtx, name):
    try:
        return _domains[name]
    except KeyError:
        with _lock:
            if name not in _domains:
                _domains[name] = nvtx.domain(_encode(name))
            return _domains[name]


def _find_category(nvtx, domain, category):
    """Categories are numbers; those with a name get the next one of their domain."""
    if category is None:
        return 0
    if isinstance(category, int):
        return category & 0xFFFFFFFF
    with _lock:
        names = _categories.setdefault(domain, {})
        if category not in names:
            names[category] = len(names) + 1
            nvtx.category(_domains[domain], names[category], _encode(category))
        return names[category]


def _find_colour(colour):
    """0xRRGGBB, 0xAARRGGBB, "#rrggbb" or a name; (type, value)."""
    if colour is None:
        return 0, 0
    value = colour
    if isinstance(colour, str):
        value = _COLOURS.get(colour.lower())
        if colour.startswith("#"):
            digits = colour[1:] if len(colour) > 4 else "".join(2 * c for c in colour[1:])
            try:
                value = int(digits, 16)
            except ValueError:
                value = None
    if not isinstance(value, int) or not 0 <= value <= 0xFFFFFFFF:
        _complain("no such colour: %r" % (colour,))
        return 0, 0
    return _ARGB, value if value > 0xFFFFFF else value | 0xFF000000


def _pack_payload(payload):
    """(type, 8 bytes) of a number."""
    try:
        if payload.__class__ is int and -(2**63) <= payload < 2**63:
            return _INT64, _PACK_INT64(payload)
        if isinstance(payload, float):
            return _DOUBLE, struct.pack("@d", payload)
        if hasattr(payload, "__index__"):
            number = payload.__index__()
            if -(2**63) <= number < 2**63:
                return _INT64, struct.pack("@q", number)
            if 0 <= number < 2**64:
                return _UINT64, struct.pack("@Q", number)
        return _DOUBLE, struct.pack("@d", float(payload))
    except (TypeError, ValueError, OverflowError):
        _complain("a payload is a number, not %.40r" % (payload,))
        return _NONE, _NO_PAYLOAD


class _Event:
    """An event's attributes without a payload, as bytes that NVTX reads."""

    __slots__ = ("handle", "attributes", "text", "address", "head")

    def __init__(self, nvtx, message, domain, colour, category):
        self.handle = _find_domain(nvtx, domain)
        self.text = ctypes.create_string_buffer(_encode(message))
        self.address = ctypes.addressof(self.text)
        self.head = (_find_category(nvtx, domain, category),) + _find_colour(colour)
        self.attributes = self._pack(_NONE, _NO_PAYLOAD)

    def _pack(self, kind, payload):
        return _ATTRIBUTES.pack(
            _VERSION, _ATTRIBUTES.size, *self.head, kind, 0, payload, _UTF8, self.address
        )

    def with_payload(self, payload):
        return self.attributes if payload is None else self._pack(*_pack_payload(payload))


def _make_event(nvtx, key):
    event = _Event(nvtx, *key)
    if len(_events) >= _MAX_EVENTS:
        _events.clear()
    _events[key] = event
    return event


def _find_event(nvtx, message, domain, colour, category):
    key = (message, domain, colour, category)
    try:
        return _events.get(key) or _make_event(nvtx, key)
    except TypeError:  # not hashable
        return _Event(nvtx, str(message), domain, colour, category)


def _emit(call, call_text, nvtx, message, domain, colour, category, payload):
    """Makes a call with an event, with its text alone if there is nothing else. Returns (domain's
    handle, result)."""
    if domain is None and colour is None and category is None and payload is None:
        return None, call_text(_encode(message))
    event = _find_event(nvtx, message, domain, colour, category)
    return event.handle, call(event.handle, event.with_payload(payload))


class annotate:
    """A range: `with annotate("load"):`, `@annotate("load")`, `@annotate()`.

    domain: name of a group of ranges with a stack of its own. color: 0xRRGGBB, "#rrggbb", "red".
    category: a name or number. payload: a number.

    In functions that may be suspended inside it (generators, coroutines), and with `async with`, it
    is a range of the process, which may overlap others. Otherwise it is a range of the thread: it
    nests, and work that is launched inside belongs to it. nested: True or False forces one of the
    two.
    """

    __slots__ = ("message", "domain", "color", "category", "payload", "nested", "_handle", "_open")

    def __init__(
        self, message=None, domain=None, color=None, category=None, payload=None, nested=None
    ):
        self.message = message
        self.domain = domain
        self.color = color
        self.category = category
        self.payload = payload
        self.nested = nested
        self._handle = _CLOSED
        self._open = None

    def _emit(self, nvtx, call, call_text):
        message = "annotate" if self.message is None else self.message
        self._handle, number = _emit(
            call, call_text, nvtx, message, self.domain, self.color, self.category, self.payload
        )
        return number

    def _begin(self, nvtx):
        number = self._emit(nvtx, nvtx.begin, nvtx.begin_text)
        if self._open is None:
            self._open = []
        self._open.append(number)

    def __enter__(self):
        nvtx = _tool.state.nvtx if _tool.state.is_known else _tool.borrow_nvtx()
        if nvtx is None:
            return self
        nested = self.nested
        if nested is None:
            nested = not sys._getframe(1).f_code.co_flags & _SUSPENDS
        if nested:
            # Most ranges are like this. This path makes no call of ours.
            if (
                self.domain is None and self.payload is None and self.color is None
                and self.category is None and self.message is not None
            ):  # fmt: skip
                self._handle = None
                nvtx.push_text(_encode(self.message))
            else:
                self._emit(nvtx, nvtx.push, nvtx.push_text)
        else:
            self._begin(nvtx)
        return self

    def __exit__(self, *_exception):
        nvtx = _tool.state.nvtx
        if nvtx is not None and self._handle is not _CLOSED:
            if self._open:
                nvtx.end(self._handle, self._open.pop())
            else:
                nvtx.pop(self._handle)

    async def __aenter__(self):
        nvtx = _tool.borrow_nvtx()
        if nvtx is not None:
            self._begin(nvtx)
        return self

    async def __aexit__(self, *_exception):
        if self._open:
            _tool.state.nvtx.end(self._handle, self._open.pop())

    def _anew(self, message):
        """For one call: calls of one function may overlap."""
        return annotate(
            message, self.domain, self.color, self.category, self.payload, self.nested
        )

    def __call__(self, function):
        message = function.__qualname__ if self.message is None else self.message
        if inspect.isasyncgenfunction(function):
            return self._wrap_async_generator(function, message)
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def call_later(*arguments, **named):
                with self._anew(message):
                    return await function(*arguments, **named)

            return call_later
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generate(*arguments, **named):
                with self._anew(message):
                    return (yield from function(*arguments, **named))

            return generate

        @functools.wraps(function)
        def call(*arguments, **named):
            with self._anew(message):
                return function(*arguments, **named)

        return call

    def _wrap_async_generator(self, function, message):
        @functools.wraps(function)
        async def generate(*arguments, **named):
            items = function(*arguments, **named)
            with self._anew(message):
                try:
                    item = await items.__anext__()
                    while True:
                        try:
                            sent = yield item
                        except GeneratorExit:
                            await items.aclose()
                            raise
                        except BaseException as thrown:
                            item = await items.athrow(thrown)
                        else:
                            item = await items.asend(sent)
                except StopAsyncIteration:
                    return

        return generate


class record_function(annotate):
    """torch.profiler.record_function: a range; its args are not recorded."""

    __slots__ = ()

    def __init__(self, name, args=None):
        super().__init__(name)


def push(message, domain=None, color=None, category=None, payload=None):
    """Opens a range of this thread, until pop() with the same domain."""
    nvtx = _tool.borrow_nvtx()
    if nvtx is not None:
        _emit(nvtx.push, nvtx.push_text, nvtx, message, domain, color, category, payload)


def pop(domain=None):
    """Closes the range that this thread has opened last in the domain."""
    nvtx = _tool.borrow_nvtx()
    if nvtx is not None:
        nvtx.pop(_find_domain(nvtx, domain))


def begin(message, domain=None, color=None, category=None, payload=None):
    """Opens a range of the process, which may overlap others. Returns a value for end(), on any
    thread."""
    nvtx = _tool.borrow_nvtx()
    if nvtx is None:
        return None
    return _emit(nvtx.begin, nvtx.begin_text, nvtx, message, domain, color, category, payload)


def end(range_):
    """Closes a range of begin()."""
    if range_ is not None:
        _tool.state.nvtx.end(*range_)


def mark(message, domain=None, color=None, category=None, payload=None):
    """An instant."""
    nvtx = _tool.borrow_nvtx()
    if nvtx is not None:
        _emit(nvtx.mark, nvtx.mark_text, nvtx, message, domain, color, category, payload)
