"""A car that holds a speed and a place in its lane under a controller of this program's own, by libvdsim and ctypes.

Usage: pid.py LIBVDSIM.so SCENARIO.yaml RECORD.csv LOG.csv
Writes what it set and the channels of the log, so that vdsim-run can drive the same car from the record."""
import ctypes
import sys

VD_OK, VD_OVER, VD_NONE = 0, 1, ctypes.c_size_t(-1).value
PERIOD = 0.0123  # s between two decisions: no whole number of steps


def load(path):
    library = ctypes.CDLL(path)
    handle, size, number, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_char_p
    for name, result, arguments in (
        ("vd_load_file", ctypes.c_int, (text, ctypes.POINTER(text), size, ctypes.POINTER(handle))),
        ("vd_case_free", None, (handle,)),
        ("vd_messages_text", text, (handle,)),
        ("vd_log_time", number, (handle, size)),
        ("vd_channel_count", size, (handle,)),
        ("vd_channel_name", text, (handle, size)),
        ("vd_channel_logged", ctypes.c_int, (handle, size)),
        ("vd_channel_find", size, (handle, text)),
        ("vd_input_find", size, (text,)),
        ("vd_build", ctypes.c_int, (handle, ctypes.c_uint, ctypes.POINTER(handle))),
        ("vd_run_free", None, (handle,)),
        ("vd_run_failure", text, (handle,)),
        ("vd_set", ctypes.c_int, (handle, size, number)),
        ("vd_advance", ctypes.c_int, (handle, number)),
        ("vd_time", number, (handle,)),
        ("vd_value", number, (handle, size)),
        ("vd_values", ctypes.c_int, (handle, ctypes.POINTER(size), size, ctypes.POINTER(number))),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def main(path, scenario, record_name, log_name):
    vd = load(path)
    case, run = ctypes.c_void_p(), ctypes.c_void_p()
    if vd.vd_load_file(scenario.encode(), None, 0, ctypes.byref(case)) != VD_OK:
        sys.exit(vd.vd_messages_text(case).decode())
    if vd.vd_build(case, 0, ctypes.byref(run)) != VD_OK:
        sys.exit(vd.vd_run_failure(run).decode())
    names = ("throttle", "brake", "steering_wheel")
    inputs = [vd.vd_input_find(name.encode()) for name in names]
    speed, across = (vd.vd_channel_find(case, name) for name in (b"vx_mps", b"y_m"))
    assert VD_NONE not in inputs and VD_NONE not in (speed, across)
    logged = [i for i in range(vd.vd_channel_count(case)) if vd.vd_channel_logged(case, i)]
    count = len(logged)
    indices, row = (ctypes.c_size_t * count)(*logged), (ctypes.c_double * count)()
    total, last, decisions, rows, status = 0.0, 0.0, 0, 0, VD_OK
    with open(record_name, "w", encoding="ascii") as record, open(log_name, "w", encoding="ascii") as log:
        print("t_s", *names, sep=",", file=record)
        print(*(vd.vd_channel_name(case, i).decode() for i in logged), sep=",", file=log)
        while status == VD_OK:
            next_row, next_decision = vd.vd_log_time(case, rows), decisions * PERIOD
            status = vd.vd_advance(run, min(next_row, next_decision))
            if next_decision <= next_row and status == VD_OK:
                error = 25.0 - vd.vd_value(run, speed)
                total += error * PERIOD
                force = 0.3 * error + 0.05 * total
                aside = (3.0 if vd.vd_time(run) > 2.0 else 0.0) - vd.vd_value(run, across)
                turn = 0.12 * aside + 0.1 * (aside - last) / PERIOD
                last = aside
                values = (max(0.0, min(force, 1.0)), max(0.0, min(-force, 1.0)), max(-1.0, min(turn, 1.0)))
                for index, value in zip(inputs, values):
                    assert vd.vd_set(run, index, value) == VD_OK
                print("%.17g" % vd.vd_time(run), *("%.17g" % value for value in values), sep=",", file=record)
                decisions += 1
            if next_row <= vd.vd_time(run):
                assert vd.vd_values(run, indices, count, row) == VD_OK
                print(*("%.17g" % value for value in row), sep=",", file=log)
                rows += 1
    vd.vd_run_free(run)
    vd.vd_case_free(case)
    return status != VD_OVER


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
