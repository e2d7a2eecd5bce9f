"""TAP of tests that are functions: @test(title) before each, and run() at the end."""
import shutil
import sys

tests = []


def test(title):
    return lambda function: tests.append((title, function))


def run(work, prefix='', skipped=lambda number: None):
    """Runs all tests, removes the folder `work', and exits. A test that returns a text is skipped for this reason.
    skipped(number): the reason why the test of a number is not run, or None."""
    print('1..%d' % len(tests))
    bad = 0
    for number, (title, function) in enumerate(tests, 1):
        try:
            reason = skipped(number) or function()
            print('ok %d - %s%s%s' % (number, prefix, title, ' # SKIP ' + reason if reason else ''), flush=True)
        except Exception as error:  # noqa: BLE001  an assertion, or what a broken unit does
            bad += 1
            words = ('%s: %s' % (type(error).__name__, error)).replace('\n', '\n# ')
            print('not ok %d - %s%s\n# %s' % (number, prefix, title, words), flush=True)
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(bad > 0)
