"""libvdsim by ctypes: where it is, and the types of its functions, which are those of vdsim.h."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
import shutil

OK, OVER, FAILED, BAD_INPUT, BAD_ARGUMENT, BAD_VALUE, UNAVAILABLE, MISMATCH, NO_MEMORY = range(9)
ABI = 1
NONE = ctypes.c_size_t(-1).value
KEEP_METRICS = 1

_pointer, _size, _real, _int, _text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_int, ctypes.c_char_p
_to = ctypes.POINTER


class Message(ctypes.Structure):
    """vd_message: a message about an input."""
    _fields_ = [("kind", _int), ("file", _text), ("line", _int), ("column", _int), ("length", _int), ("text", _text)]


class Figure(ctypes.Structure):
    """vd_figure: a metric."""
    _fields_ = [("name", _text), ("value", _real), ("unit", _text), ("definition", _text), ("reason", _text)]


_FUNCTIONS = {
    "vd_version_string": (_text,),
    "vd_abi": (_int,),
    "vd_status_text": (_text, _int),
    "vd_load_file": (_int, _text, _to(_text), _size, _to(_pointer)),
    "vd_load_text": (_int, _text, _size, _text, _to(_text), _size, _to(_pointer)),
    "vd_case_free": (None, _pointer),
    "vd_case_set": (_int, _pointer, _to(_text), _size, _to(_pointer)),
    "vd_case_kind": (_text, _pointer),
    "vd_case_count": (_size, _pointer),
    "vd_case_at": (_int, _pointer, _size, _to(_pointer)),
    "vd_message_count": (_size, _pointer),
    "vd_message_at": (_int, _pointer, _size, _to(Message)),
    "vd_messages_text": (_text, _pointer),
    "vd_resolved_text": (_text, _pointer),
    "vd_title": (_text, _pointer),
    "vd_duration": (_real, _pointer),
    "vd_log_time": (_real, _pointer, _size),
    "vd_channel_count": (_size, _pointer),
    "vd_channel_name": (_text, _pointer, _size),
    "vd_channel_unit": (_text, _pointer, _size),
    "vd_channel_meaning": (_text, _pointer, _size),
    "vd_channel_logged": (_int, _pointer, _size),
    "vd_channel_find": (_size, _pointer, _text),
    "vd_input_count": (_size,),
    "vd_input_name": (_text, _size),
    "vd_input_unit": (_text, _size),
    "vd_input_meaning": (_text, _size),
    "vd_input_find": (_size, _text),
    "vd_input_range": (_int, _pointer, _size, _to(_real), _to(_real)),
    "vd_build": (_int, _pointer, ctypes.c_uint, _to(_pointer)),
    "vd_run_free": (None, _pointer),
    "vd_restart": (_int, _pointer),
    "vd_set": (_int, _pointer, _size, _real),
    "vd_advance": (_int, _pointer, _real),
    "vd_run_status": (_int, _pointer),
    "vd_time": (_real, _pointer),
    "vd_run_failure": (_text, _pointer),
    "vd_run_doubt": (_text, _pointer),
    "vd_values": (_int, _pointer, _to(_size), _size, _to(_real)),
    "vd_state_size": (_size, _pointer),
    "vd_state_save": (_int, _pointer, _pointer, _size),
    "vd_state_restore": (_int, _pointer, _text, _size),
    "vd_figures": (_int, _pointer, _to(Figure), _size, _to(_size)),
    "vd_table_log": (_int, _pointer, _to(_pointer)),
    "vd_table_metrics": (_int, _pointer, _to(_pointer)),
    "vd_table_sweep": (_int, _pointer, _to(_text), _size, _to(_pointer)),
    "vd_table_cases": (_int, _pointer, _size, _size, _to(_pointer)),
    "vd_table_free": (None, _pointer),
    "vd_table_text": (_text, _pointer),
    "vd_table_remark": (_text, _pointer),
    "vd_data_file": (_int, _text, _pointer, _size),
}


def _tree() -> pathlib.Path:
    """The source tree, if this package lies in one."""
    here = pathlib.Path(__file__).resolve()
    return here.parents[min(2, len(here.parents) - 1)]


def _candidates():
    if os.environ.get("VDSIM_LIBRARY"):
        yield os.environ["VDSIM_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, _tree() / "build" / "lib", *here.parents[1:5]):  # an installed package lies below the library
        for name in ("libvdsim.so.1", "libvdsim.so", "libvdsim.dll", "libvdsim-1.dll", "*-linux-*/libvdsim.so.1"):
            yield from map(str, sorted(folder.glob(name)))
    yield ctypes.util.find_library("vdsim") or "libvdsim.so.1"


def load() -> ctypes.CDLL:
    """Loads the library; ImportError says where it was looked for. A wheel contains the libraries that it needs, with
    names in the order in which they need one another; those that are loaded are found by the following ones."""
    tried = []
    for path in sorted(pathlib.Path(__file__).resolve().parent.glob("libraries/*")):
        ctypes.CDLL(str(path))
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
            continue
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, name, None)
            if function is None:
                raise ImportError(f"{path} has no {name}: it is older than this package")
            function.restype, function.argtypes = result, arguments
        if library.vd_abi() != ABI:
            raise ImportError(f"{path} has the interface {library.vd_abi()}, this package needs {ABI}")
        return library
    raise ImportError("libvdsim was not found; VDSIM_LIBRARY can name it: " + "; ".join(tried))


def program(name: str) -> str:
    """The path of one of the programs; FileNotFoundError if there is none."""
    folders = [os.environ.get("VDSIM_PROGRAMS"), str(_tree() / "build" / "cli")]
    for folder in filter(None, folders):
        found = shutil.which(name, path=folder)
        if found:
            return found
    found = shutil.which(name)
    if not found:
        raise FileNotFoundError(f"{name} was not found; VDSIM_PROGRAMS can name its folder")
    return found
