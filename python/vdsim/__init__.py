"""Vehicle dynamics scenarios, run from Python.

Units are SI and radians; axes are ISO 8855: x forward, y left, z up. Names of channels, inputs and keys are those of
vdsim-run, vdsim-scenario(5) and vdsim-run --list-channels. A file that does not exist is looked for among the shipped
ones, so that "handling/step_steer.yaml" is found from any folder.
"""
from __future__ import annotations

import concurrent.futures
import csv
import ctypes
import io
import math
import os
import pathlib
import subprocess
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _library as _c

try:
    import numpy as _numpy
except ImportError:  # arrays are lists then
    _numpy = None

__all__ = ["run", "study", "kc_sweep", "rig", "table", "Car", "Run", "Table", "Metric", "Message", "Error", "InputError",
           "RunError", "channels", "data_file", "inputs", "version"]

_vd = _c.load()
Settings = Optional[Mapping[str, Any]]
Path = Union[str, "os.PathLike[str]"]


def version() -> str:
    """The version of the library."""
    return _vd.vd_version_string().decode()


def data_file(name: str = "") -> pathlib.Path:
    """The path of a shipped file, such as "iso/step_steer.yaml"; without a name that of the folder of all of them."""
    path = ctypes.create_string_buffer(4096)
    if _vd.vd_data_file(os.fsencode(name), path, len(path)) != _c.OK:
        raise FileNotFoundError(f"no shipped file '{name}'; the environment variable VDSIM_DATA names their folder")
    return pathlib.Path(os.fsdecode(path.value))


# --- errors


@dataclass(frozen=True)
class Message:
    """A message of the readers about a file. line and column count from 1; line 0: the whole file."""
    kind: str  # "error", "warning" or "note"
    file: str
    line: int
    column: int
    text: str


class Error(Exception):
    """The base of the errors of this package; its text says what is wrong."""


class InputError(Error):
    """A file, key or value cannot be used. file, line and column are those of the first error."""

    def __init__(self, text: str, messages: Sequence[Message] = ()):
        super().__init__(text)
        self.messages = list(messages)
        first = next((m for m in messages if m.kind == "error"), Message("error", "", 0, 0, text))
        self.file, self.line, self.column = first.file, first.line, first.column


class RunError(Error):
    """A run that ended early, for instance because the car overturned. time: s. run: its results up to this time, or
    None."""

    def __init__(self, text: str, time: float, run: Optional["Run"] = None):
        super().__init__(text)
        self.time, self.run = time, run


def _check(status: int, what: str) -> None:
    if status not in (_c.OK, _c.OVER):
        raise Error(f"{what}: {_vd.vd_status_text(status).decode()}")


# --- cases


def _settings(settings: Settings) -> "ctypes.Array[ctypes.c_char_p]":
    """Settings as texts KEY=VALUE; numbers keep all their digits. A text is YAML. Paths, and texts with " #" or line
    ends, of which YAML would drop a part, are quoted."""
    def text(value: Any) -> str:
        if hasattr(value, "tolist"):  # numpy: a scalar or an array
            value = value.tolist()
        if isinstance(value, os.PathLike):
            return quoted(os.fspath(value))
        if isinstance(value, str) and (" #" in value or "\n" in value) and value[0] not in "'\"[{":
            return quoted(value)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(text, value)) + "]"
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{k}: {text(v)}" for k, v in value.items()) + "}"
        return "null" if value is None else str(value)

    def quoted(value: str) -> str:
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    lines = [f"{key}={text(value)}".encode("utf-8", "surrogateescape")
             for key, value in (settings or {}).items()]
    return (ctypes.c_char_p * len(lines))(*lines)


class _Case:
    """A scenario, a study or a suspension as read and checked."""

    def __init__(self, scenario: Path, settings: Settings = None, text: bool = False):
        given = _settings(settings)
        name = "text" if text else os.fspath(scenario)
        if text:
            data = str(scenario).encode()
            self._load(name, _vd.vd_load_text, data, len(data), None, given, len(given))
        else:
            self._load(name, _vd.vd_load_file, os.fsencode(scenario), given, len(given))

    def _load(self, name: str, function: Any, *arguments: Any) -> None:
        self.handle, self.name = ctypes.c_void_p(), name
        status = function(*arguments, ctypes.byref(self.handle))
        self.messages = list(self._read_messages()) if self.handle else []
        if status == _c.BAD_INPUT:
            raise InputError(_vd.vd_messages_text(self.handle).decode().rstrip("\n"), self.messages)
        _check(status, name)
        self.names = [_vd.vd_channel_name(self.handle, i).decode() for i in range(_vd.vd_channel_count(self.handle))]
        self.logged = [i for i in range(len(self.names)) if _vd.vd_channel_logged(self.handle, i)]

    @classmethod
    def _made(cls, name: str, function: Any, *arguments: Any) -> "_Case":
        made = cls.__new__(cls)
        made._load(name, function, *arguments)
        return made

    def set(self, settings: Settings) -> "_Case":
        """The same with more settings."""
        given = _settings(settings)
        return self._made(self.name, _vd.vd_case_set, self.handle, given, len(given)) if given else self

    def at(self, index: int) -> "_Case":
        """One case of a study."""
        if not 0 <= index < self.count:
            raise IndexError(f"{self.name} has {self.count} cases, from 0; there is no case {index}")
        return self._made(f"{self.name}, case {index}", _vd.vd_case_at, self.handle, index)

    @property
    def kind(self) -> str:
        return _vd.vd_case_kind(self.handle).decode()

    @property
    def count(self) -> int:
        """The number of cases of a study."""
        return _vd.vd_case_count(self.handle)

    def needs(self, *kinds: str) -> None:
        if self.kind not in kinds:
            raise InputError(f"{self.name}: a {kinds[0]} is needed, this is a {self.kind}")

    def table(self, function: Any, *arguments: Any) -> "Table":
        """What one of the functions vd_table_... of the library computes."""
        made = ctypes.c_void_p()
        status = function(self.handle, *arguments, ctypes.byref(made))
        try:
            remark = _vd.vd_table_remark(made).decode() if made else ""
            if status == _c.BAD_VALUE:
                raise ValueError(remark)
            if status == _c.FAILED:
                raise RunError(f"{self.name}: {remark}", float("nan"))
            _check(status, self.name)
            return Table._read(_vd.vd_table_text(made).decode())
        finally:
            _vd.vd_table_free(made)

    def _read_messages(self) -> Iterator[Message]:
        kinds = ("error", "warning", "note")
        for i in range(_vd.vd_message_count(self.handle)):
            m = _c.Message()
            _vd.vd_message_at(self.handle, i, ctypes.byref(m))
            yield Message(kinds[m.kind], m.file.decode(), m.line, m.column, m.text.decode())

    def index(self, name: str) -> int:
        found = _vd.vd_channel_find(self.handle, name.encode())
        if found == _c.NONE:
            raise KeyError(f"the scenario's level has no channel '{name}'")
        return found

    def unit(self, name: str) -> str:
        return _vd.vd_channel_unit(self.handle, self.index(name)).decode()

    def __del__(self):
        if getattr(self, "handle", None):
            _vd.vd_case_free(self.handle)


def channels(scenario: Path, settings: Settings = None) -> Dict[str, Dict[str, str]]:
    """The channels of a scenario's level: unit and meaning by name."""
    case = _Case(scenario, settings)
    return {name: {"unit": _vd.vd_channel_unit(case.handle, i).decode(),
                   "meaning": _vd.vd_channel_meaning(case.handle, i).decode()} for i, name in enumerate(case.names)}


def inputs() -> Dict[str, Dict[str, str]]:
    """All inputs that a car may take: unit and meaning by name."""
    return {_vd.vd_input_name(i).decode(): {"unit": _vd.vd_input_unit(i).decode(),
                                            "meaning": (_vd.vd_input_meaning(i) or b"").decode()}
            for i in range(_vd.vd_input_count())}


# --- one car, step by step


@dataclass(frozen=True)
class Metric:
    """A number of a run by the definition of a standard. value: NaN if not computed; reason: why not, or a remark."""
    name: str
    value: float
    unit: str
    definition: str
    reason: str

    def __float__(self) -> float:
        return self.value


class Car:
    """A running scenario, from t = 0. car["yaw_rate_radps"] is the present value of a channel, and car["steer"] = 0.1
    sets an input from this time on, in place of the scenario's commands. Only one thread may use it at a time.

    settings: keys of the scenario with their values, such as {"vehicle.mass": 1600, "run.level": "L3"}; texts may have
    units: "1600 kg". metrics: record the channels that the metrics need. text: `scenario` is YAML, not a file name.
    case: `scenario` is a study, and the car is that of one of its cases, from 0."""

    def __init__(self, scenario: Path, settings: Settings = None, *, metrics: bool = False, text: bool = False,
                 case: Optional[int] = None):
        read = _Case(scenario, settings, text)
        self._start(read if case is None else read.at(case), metrics)

    def _start(self, case: _Case, metrics: bool) -> None:
        case.needs("vehicle", "four_post")
        self._case, self._metrics, self._run = case, metrics, ctypes.c_void_p()
        status = _vd.vd_build(self._case.handle, _c.KEEP_METRICS if metrics else 0, ctypes.byref(self._run))
        if status == _c.FAILED:
            raise RunError(self.failure, 0.0)
        _check(status, case.name)
        self.ended = status == _c.OVER

    def changed(self, settings: Settings) -> "Car":
        """Another car of the same scenario with more settings, at t = 0."""
        made = Car.__new__(Car)
        made._start(self._case.set(settings), self._metrics)
        return made

    def __enter__(self) -> "Car":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    __iter__ = None  # a car is no sequence of its channels

    def __contains__(self, channel: object) -> bool:
        return channel in self._case.names

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a Car cannot be copied or pickled; save() gives its state as bytes")

    def _open(self) -> ctypes.c_void_p:
        if not self._run:
            raise Error("the car is closed")
        return self._run

    def close(self) -> None:
        """Frees the memory of the run; the car cannot be used afterwards."""
        if getattr(self, "_run", None):
            _vd.vd_run_free(self._run)
        self._run = None

    __del__ = close

    @property
    def time(self) -> float:
        """The present time, s."""
        return _vd.vd_time(self._open())

    @property
    def failure(self) -> str:
        """Why the run failed; "" if it did not."""
        return _vd.vd_run_failure(self._open()).decode()

    @property
    def doubt(self) -> str:
        """Why the results are doubtful; "" if they are not."""
        return _vd.vd_run_doubt(self._open()).decode()

    @property
    def messages(self) -> List[Message]:
        """Warnings and notes of the readers."""
        return self._case.messages

    @property
    def resolved(self) -> str:
        """The complete scenario with all defaults, as YAML in SI."""
        return _vd.vd_resolved_text(self._case.handle).decode()

    @property
    def title(self) -> str:
        return _vd.vd_title(self._case.handle).decode()

    @property
    def channels(self) -> List[str]:
        """The channels that can be read."""
        return list(self._case.names)

    def __getitem__(self, channel: str) -> float:
        return self.values([channel])[0]

    def values(self, channels: Sequence[str]) -> List[float]:
        """The present values of channels."""
        count = len(channels)
        index = (ctypes.c_size_t * count)(*map(self._case.index, channels))
        return self._values(index)

    def _values(self, index: "ctypes.Array[ctypes.c_size_t]") -> List[float]:
        value = (ctypes.c_double * len(index))()
        if _vd.vd_values(self._open(), index, len(index), value) != _c.OK:
            raise RunError(self.failure, self.time)
        return list(value)

    def __setitem__(self, name: str, value: float) -> None:
        index = _vd.vd_input_find(name.encode())
        if index == _c.NONE:
            raise KeyError(f"there is no input '{name}'")
        status = _vd.vd_set(self._open(), index, float(value))
        if status == _c.BAD_VALUE:
            low, high = ctypes.c_double(), ctypes.c_double()
            _vd.vd_input_range(self._case.handle, index, ctypes.byref(low), ctypes.byref(high))
            raise ValueError(f"{name} = {value:g} is not in its range, {low.value:g} to {high.value:g}")
        if status == _c.BAD_ARGUMENT:
            raise ValueError(f"{name}: a finite number is needed")
        _check(status, name)

    def advance(self, time: float) -> bool:
        """Advances to a time, s, which is not before the present one. False: the run has reached its end."""
        status = _vd.vd_advance(self._open(), time)
        if status == _c.FAILED:
            raise RunError(self.failure, self.time)
        if status == _c.BAD_ARGUMENT:
            why = f"is before the present time, {self.time:g} s" if math.isfinite(time) else "is not finite"
            raise ValueError(f"t = {time:g} s {why}")
        _check(status, f"t = {time:g} s")
        self.ended = status == _c.OVER
        return not self.ended

    def restart(self) -> None:
        """Sets the run back to t = 0 without the inputs that were set."""
        _check(_vd.vd_restart(self._open()), "restart")
        self.ended = False

    def save(self) -> bytes:
        """The complete state as bytes."""
        data = ctypes.create_string_buffer(_vd.vd_state_size(self._open()))
        _check(_vd.vd_state_save(self._run, data, len(data)), "save")
        return data.raw

    def restore(self, state: bytes) -> None:
        """Restores a state of this or another car of the same scenario; it continues with the same bits."""
        state = bytes(state)
        _check(_vd.vd_state_restore(self._open(), state, len(state)), "restore")
        self.ended = _vd.vd_run_status(self._run) == _c.OVER

    @property
    def metrics(self) -> Dict[str, Metric]:
        """The metrics of the scenario's sets, of the run until now. The car must have been made with metrics=True."""
        count = ctypes.c_size_t()
        _check(_vd.vd_figures(self._open(), None, 0, ctypes.byref(count)), "metrics")
        figures = (_c.Figure * count.value)()
        _check(_vd.vd_figures(self._run, figures, count.value, ctypes.byref(count)), "metrics")
        made = [Metric(f.name.decode(), f.value, f.unit.decode(), f.definition.decode(), f.reason.decode())
                for f in figures]
        return {m.name: m for m in made}


# --- tables


def _array(values: List[float]) -> Any:
    return _numpy.array(values) if _numpy else values


class Table(Mapping):
    """Columns by their names, each an array of numpy, or a list if numpy is missing or the values are texts."""

    def __init__(self, columns: Mapping[str, List[Any]], units: Optional[Mapping[str, str]] = None):
        numbers = {k: all(isinstance(x, float) for x in v) for k, v in columns.items()}
        self._columns = {k: _array(v) if numbers[k] else list(v) for k, v in columns.items()}
        self.units = dict(units or {})

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns; len(table["t_s"]) is that of the rows."""
        return len(self._columns)

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        import pandas
        return pandas.DataFrame(self._columns)

    def to_csv(self, path: Optional[Path] = None, digits: int = 9) -> str:
        """The table as CSV with the bytes of the programs, for digits=17 those of their option --exact; written to
        `path`, if that is given."""
        def field(x: Any) -> str:
            return x if isinstance(x, str) else "" if x != x else f"{x:.{digits}g}"
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns)
        writer.writerows(map(field, row) for row in zip(*self._columns.values()))
        if path is not None:
            pathlib.Path(path).write_bytes(text.getvalue().encode())
        return text.getvalue()

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), []))
        return f"<{type(self).__name__} of {rows} rows: {', '.join(self._columns)}>"

    @classmethod
    def _read(cls, text: str) -> "Table":
        """A table from CSV; an empty field of numbers is NaN."""
        header, *rows = list(csv.reader(text.splitlines()))

        def column(i: int) -> List[Any]:
            values = [row[i] for row in rows]
            try:
                return [float(x) if x else float("nan") for x in values]
            except ValueError:
                return values
        return cls({name: column(i) for i, name in enumerate(header)})

    @classmethod
    def _joined(cls, parts: Sequence["Table"]) -> "Table":
        """The rows of tables with the same columns. A column of numbers may be one of words in another part."""
        return cls({name: [x for part in parts for x in part[name]] for name in parts[0]})


class Run(Table):
    """The log of a run: its columns are those of vdsim-run, in SI; metrics, messages, resolved scenario and title beside
    them. doubt: why the results are doubtful, or ""."""

    def __init__(self, car: Car, columns: Mapping[str, List[float]], metrics: Mapping[str, Metric]):
        super().__init__(columns, {name: car._case.unit(name) for name in columns})
        self.metrics, self.messages, self.resolved, self.title = dict(metrics), car.messages, car.resolved, car.title
        self.doubt = "" if car.failure else car.doubt


def run(scenario: Path, settings: Settings = None, *, channels: Optional[Sequence[str]] = None,
        rate: Optional[float] = None, metrics: bool = True, text: bool = False, case: Optional[int] = None,
        progress: Optional[Callable[[float], None]] = None) -> Run:
    """Runs a scenario, or one case of a study, to its end.

    settings, text, case: as of Car. channels: names or patterns, as of vdsim-run -c; None: those of the scenario.
    rate: rows in a second. progress: called with the share that is done, 0 to 1. Raises InputError, or RunError with
    the run until its early end."""
    given: Dict[str, Any] = {} if rate is None else {"log.rate": rate}
    if channels is not None:
        channels = channels.split(",") if isinstance(channels, str) else channels
        given["log.channels"] = "[" + ", ".join("'" + c.replace("'", "''") + "'" for c in channels) + "]"
    read = _Case(scenario, {**(settings or {}), **(given if case is None else {})}, text)
    made = Car.__new__(Car)
    made._start(read if case is None else read.at(case).set(given), metrics)
    with made as car:
        used = car._case
        index = (ctypes.c_size_t * len(used.logged))(*used.logged)
        rows: List[List[float]] = []
        duration, failure = _vd.vd_duration(used.handle), None
        while True:
            time = _vd.vd_log_time(used.handle, len(rows))
            try:
                going = car.advance(time) if time > 0.0 else not car.ended
                rows.append(car._values(index))
            except RunError as error:
                failure = error
                break
            if progress:
                progress(min(car.time / duration, 1.0))
            if not going:
                break
        columns = {used.names[k]: [row[i] for row in rows] for i, k in enumerate(used.logged)}
        result = Run(car, columns, car.metrics if metrics and not failure else {})
        if failure:
            raise RunError(str(failure), failure.time, result)
        return result


# --- studies, rigs, suspensions


def _place(text: str) -> Iterator[Message]:
    """The messages FILE:LINE:COLUMN: error: ... of a program."""
    for line in text.splitlines():
        head, found, words = line.partition(": error: ")
        place = head.rsplit(":", 2)
        if found and len(place) == 3 and place[1].isdigit() and place[2].isdigit():
            yield Message("error", place[0], int(place[1]), int(place[2]), words)


def _study_in_folder(scenario: Path, settings: Settings, folder: Path, jobs: int, resume: bool) -> Table:
    """Runs a study by vdsim-run, which keeps a journal in the folder."""
    options = [x for s in _settings(settings) for x in ("--set", os.fsdecode(s))] + (["--resume"] if resume else [])
    done = subprocess.run([_c.program("vdsim-run"), "-q", "--exact", "-j", str(jobs), "-o", os.fspath(folder), *options,
                           os.fspath(scenario)], capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode == 2:
        raise InputError(done.stderr.rstrip("\n"), list(_place(done.stderr)))
    if done.returncode not in (0, 3):  # 3: cases died; the table names them
        raise Error(done.stderr.rstrip("\n") or f"vdsim-run ended with status {done.returncode}")
    table = pathlib.Path(folder, pathlib.Path(scenario).stem + ".csv")
    return Table._read(table.read_text(encoding="utf-8"))


def study(scenario: Path, settings: Settings = None, *, folder: Optional[Path] = None, jobs: int = 1,
          resume: bool = False, progress: Optional[Callable[[float], None]] = None) -> Table:
    """Runs a study and returns its results, a row a case.

    jobs: cases at a time. progress: called with the share that is done, 0 to 1. folder: where vdsim-run keeps the files
    of the study, so that it can be resumed; None: the study runs in threads of this process, and nothing is kept."""
    if jobs < 1:
        raise ValueError(f"jobs = {jobs}: a number from 1 on is needed")
    if folder is not None:
        return _study_in_folder(scenario, settings, folder, jobs, resume)
    case = _Case(scenario, settings)
    case.needs("study")
    size = max(1, -(-case.count // (8 * jobs)))  # cases of a part: each part reads the scenario again
    starts = range(0, case.count, size)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(case.table, _vd.vd_table_cases, i, min(size, case.count - i)) for i in starts]
        try:
            for done, part in enumerate(concurrent.futures.as_completed(waiting), 1):
                part.result()
                if progress:
                    progress(done / len(waiting))
        finally:
            for part in waiting:
                part.cancel()
    return Table._joined([part.result() for part in waiting])


def table(scenario: Path, settings: Settings = None, *, metrics: bool = False) -> Table:
    """The log of a scenario of any kind but studies: a car, a track car, a tyre rig, limits. metrics: its metrics
    instead, in the columns metric, value, unit, definition and note."""
    return _Case(scenario, settings).table(_vd.vd_table_metrics if metrics else _vd.vd_table_log)


def rig(scenario: Path, settings: Settings = None) -> Table:
    """Measures a tyre on a rig (kind: tyre_rig) and returns its forces."""
    case = _Case(scenario, settings)
    case.needs("tyre_rig")
    return case.table(_vd.vd_table_log)


def kc_sweep(suspension: Path, settings: Settings = None, *, metrics: bool = False, **options: Any) -> Table:
    """Moves a suspension and returns its curves, or with metrics its gains, in mm, deg and N.

    options: those of vdsim-kc-sweep that choose the curves: sweep="travel,rack", travel="-60:60:25" in mm, fz=4000,
    hold="ground", side="both", gravity=True, columns="toe*", ..."""
    case = _Case(suspension, settings)
    case.needs("suspension")
    given = [name.replace("_", "-") if value is True else f"{name.replace('_', '-')}={value}"
             for name, value in options.items() if value not in (None, False)]
    if metrics and given:
        raise ValueError(f"metrics are those of the design position; {given[0]} is for curves")
    if metrics:
        return case.table(_vd.vd_table_metrics)
    return case.table(_vd.vd_table_sweep, (ctypes.c_char_p * len(given))(*map(os.fsencode, given)), len(given))
