"""An importer of functional mock-up units, FMI 2.0 and 3.0 co-simulation, in the standard library of Python.

It reads modelDescription.xml, loads the binary with ctypes and calls the functions of the standard. It has no knowledge
of VDSim except from the unit.
"""
import ctypes
import os
import pathlib
import platform
import urllib.parse
import xml.etree.ElementTree as xml
import zipfile

OK, WARNING, DISCARD, ERROR = range(4)
VOID, SIZE, REAL, INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_int
LOG2 = ctypes.CFUNCTYPE(None, VOID, ctypes.c_char_p, INT, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
LOG3 = ctypes.CFUNCTYPE(None, VOID, INT, ctypes.c_char_p, ctypes.c_char_p)


class Callbacks2(ctypes.Structure):
    _fields_ = [('logger', LOG2), ('allocate', VOID), ('free', VOID), ('finished', VOID), ('environment', VOID)]


class Variable:
    def __init__(self, element):
        inner = element[0] if element.tag == 'ScalarVariable' else element
        self.name = element.get('name')
        self.reference = int(element.get('valueReference'))
        self.causality = element.get('causality')
        self.variability = element.get('variability')
        self.whole = inner.tag in ('Integer', 'Int32')
        self.unit = inner.get('unit')
        self.start = inner.get('start')
        self.least, self.most = inner.get('min'), inner.get('max')


class Unit:
    """An unpacked archive and its loaded binary."""

    def __init__(self, path, folder):
        self.folder = pathlib.Path(folder)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.root = xml.parse(self.folder / 'modelDescription.xml').getroot()
        self.version = 2 if self.root.get('fmiVersion') == '2.0' else 3
        self.token = self.root.get('guid') or self.root.get('instantiationToken')
        self.simulation = self.root.find('CoSimulation')
        self.variables = {v.name: v for v in map(Variable, self.root.find('ModelVariables'))}
        name = self.simulation.get('modelIdentifier') + '.so'
        system = 'linux64' if self.version == 2 else platform.machine() + '-linux'
        self.binary = self.folder / 'binaries' / system / name
        self.library = ctypes.CDLL(str(self.binary))
        self.prefix = 'fmi%d' % self.version
        self.library[self.prefix + 'GetVersion'].restype = ctypes.c_char_p

    def outputs(self):
        return [v for v in self.variables.values() if v.causality == 'output']

    def function(self, name):
        return self.library[self.prefix + name]


class Instance:
    """One instance. Functions return the status of the standard; messages are kept in `messages`."""

    def __init__(self, unit, token=None, name=b'car', resources=None):
        self.unit, self.messages, self.time, self.ended = unit, [], 0.0, False
        folder = resources or unit.folder / 'resources'
        token = (token or unit.token).encode()
        if unit.version == 2:
            self.log = LOG2(lambda env, who, status, category, form, text: self.messages.append((status, text)))
            self.callbacks = Callbacks2(self.log, None, None, None, None)
            make = unit.function('Instantiate')
            make.restype = VOID
            uri = folder if isinstance(folder, str) else 'file://' + urllib.parse.quote(str(folder))
            self.handle = make(name, 1, token, uri.encode(), ctypes.byref(self.callbacks), 0, 0)
        else:
            self.log = LOG3(lambda env, status, category, text: self.messages.append((status, text)))
            make = unit.function('InstantiateCoSimulation')
            make.restype = VOID
            make.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_bool] * 4 + [VOID, SIZE, VOID, LOG3, VOID]
            self.handle = make(name, token, (str(folder) + '/').encode(), False, False, False, False, None, 0, None,
                               self.log, None)

    def call(self, name, *arguments):
        return self.unit.function(name)(VOID(self.handle), *arguments)

    def free(self):
        self.unit.function('FreeInstance')(VOID(self.handle))

    # --- phases

    def enter(self, start=0.0, stop=None):
        stop_given, stop_time = stop is not None, REAL(stop or 0.0)
        if self.unit.version == 3:
            status = self.call('EnterInitializationMode', ctypes.c_bool(False), REAL(0.0), REAL(start),
                               ctypes.c_bool(stop_given), stop_time)
        else:
            status = self.call('SetupExperiment', INT(0), REAL(0.0), REAL(start), INT(stop_given), stop_time)
            status = max(status, self.call('EnterInitializationMode'))
        self.time = start
        return status

    def leave(self):
        return self.call('ExitInitializationMode')

    def initialise(self, **values):
        return max(self.enter(**values), self.leave())

    # --- values

    def find(self, name):
        return self.unit.variables[name] if isinstance(name, str) else name

    def exchange(self, function, variable, number):
        whole = variable.whole
        kind = {2: ('Real', 'Integer'), 3: ('Float64', 'Int32')}[self.unit.version][whole]
        reference = (ctypes.c_uint32 * 1)(variable.reference)
        value = ((ctypes.c_int32 if whole else REAL) * 1)(number)
        more = [SIZE(1)] if self.unit.version == 3 else []
        return self.call(function + kind, reference, SIZE(1), value, *more), value[0]

    def set(self, name, number):
        return self.exchange('Set', self.find(name), number)[0]

    def get(self, name):
        status, value = self.exchange('Get', self.find(name), 0)
        return value if status == OK else None

    def values(self, variables):
        count = len(variables)
        references = (ctypes.c_uint32 * count)(*[v.reference for v in variables])
        value = (REAL * count)()
        more = [SIZE(count)] if self.unit.version == 3 else []
        status = self.call('Get' + {2: 'Real', 3: 'Float64'}[self.unit.version], references, SIZE(count), value, *more)
        return list(value) if status == OK else None

    # --- steps

    def step(self, size, start=None):
        start = self.time if start is None else start
        if self.unit.version == 2:
            status = self.call('DoStep', REAL(start), REAL(size), INT(1))
        else:
            flags, last = [ctypes.c_bool() for _ in range(3)], REAL()
            status = self.call('DoStep', REAL(start), REAL(size), ctypes.c_bool(True), *map(ctypes.byref, flags),
                               ctypes.byref(last))
            self.ended = flags[1].value
        if status in (OK, WARNING):
            self.time = start + size
        return status

    def has_ended(self):
        if self.unit.version == 3:
            return self.ended
        value = INT()
        return self.call('GetBooleanStatus', INT(3), ctypes.byref(value)) == OK and value.value == 1

    # --- state

    def name(self, text):
        return text.replace('State', 'state') if self.unit.version == 2 else text

    def save(self):
        state = VOID()
        assert self.call(self.name('GetFMUState'), ctypes.byref(state)) == OK
        return state, self.time

    def restore(self, saved):
        self.time = saved[1]
        return self.call(self.name('SetFMUState'), saved[0])

    def forget(self, saved):
        return self.call(self.name('FreeFMUState'), ctypes.byref(saved[0]))

    def serialise(self, saved):
        size = SIZE()
        assert self.call(self.name('SerializedFMUStateSize'), saved[0], ctypes.byref(size)) == OK
        data = ctypes.create_string_buffer(size.value)
        assert self.call(self.name('SerializeFMUState'), saved[0], data, size) == OK
        return data.raw

    def deserialise(self, data, time):
        state = VOID()
        name = 'DeSerializeFMUstate' if self.unit.version == 2 else 'DeserializeFMUState'
        status = self.call(name, data, SIZE(len(data)), ctypes.byref(state))
        return status, (state, time)
