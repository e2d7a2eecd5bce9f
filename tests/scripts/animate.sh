#!/bin/sh
# scripts/animate: animations of logs and pages are as long as the run, by the delays in the files; and refused inputs.
# For each commit a third of the animations is made.
# Usage: tests/scripts/animate.sh VDSIM-RUN VDSIM-KC-SWEEP
# Reads scenarios/; writes a temporary folder. Skipped without ffmpeg, rsvg-convert, python3; without chromium no page
# is animated.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
for tool in ffmpeg rsvg-convert; do command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }; done
PATH=$(dirname "$exe"):$PATH
need_python
case $2 in /*) sweep=$2 ;; *) sweep=$OLDPWD/$2 ;; esac
plan 16
unset DISPLAY WAYLAND_DISPLAY

cat >"$work/frames.py" <<'END'
"""Checks the number of pictures of an animation, and their delays: file, expected number, expected delay, s."""
import struct, sys
data = open(sys.argv[1], 'rb').read()
count, delay = int(sys.argv[2]), float(sys.argv[3])
if data[:4] == b'GIF8':
    # blocks after the screen descriptor and its table: extensions, and pictures with their tables
    table = lambda flags: 3 << ((flags & 7) + 1) if flags & 128 else 0
    at, delays, pictures = 13 + table(data[10]), [], 0
    while data[at] != 0x3b:
        if data[at] == 0x21:
            if data[at + 1] == 0xf9:
                delays.append(struct.unpack('<H', data[at + 4:at + 6])[0] / 100)
            at += 2
        else:
            pictures += 1
            at += 11 + table(data[at + 9])
        while data[at]:
            at += 1 + data[at]
        at += 1
else:
    import zlib
    at, delays, pictures, numbers, pixels = 8, [], 0, [], []
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack('>I', data[at + 8 + size:at + 12 + size])[0], 'a checksum'
        if kind == b'IHDR':
            wide, high = struct.unpack('>II', body[:8])
        elif kind == b'acTL':
            assert struct.unpack('>II', body) == (count, 0), 'the number of pictures'
        elif kind == b'fcTL':
            numbers.append(struct.unpack('>I', body[:4])[0])
            assert struct.unpack('>II', body[4:12]) == (wide, high)
            above, below = struct.unpack('>HH', body[20:24])
            delays.append(above / below)
        elif kind in (b'IDAT', b'fdAT'):
            if kind == b'fdAT':
                numbers.append(struct.unpack('>I', body[:4])[0])
            pixels.append(zlib.decompress(body[4 if kind == b'fdAT' else 0:]))
            pictures += 1
        at += 12 + size
    assert numbers == list(range(len(numbers))), 'the order of the pictures'
    assert all(len(p) == high * (4 * wide + 1) for p in pixels), 'the size of a picture'
    assert sum(a != b for a, b in zip(pixels, pixels[1:])) > 0.8 * len(pixels), 'nothing moves'
print(pictures, set(delays))
sys.exit(0 if pictures == len(delays) == count and all(abs(d - delay) < 1e-9 for d in delays) else 1)
END

# 2 s of a car that falls, 200 rows a second
"$exe" --rate 200 --set run.duration=2 -c '*' -o "$work/drop.csv" scenarios/ride/drop.yaml || exit 2
[ "$(tail -n 1 "$work/drop.csv" | cut -d , -f 1)" = 2 ] || exit 2
frames() { # THIRD COUNT DELAY TITLE ARGUMENT...
  third=$1 count=$2 delay=$3 title=$4
  shift 4
  if ! drawn "$third" 3; then
    skip "$title" "another third is drawn: VDSIM_SAMPLE=all sh scripts/test animate"
    return
  fi
  rm -f "$work/it".*
  sh scripts/animate "$@" >"$work/out" 2>"$work/err"
  status=$?
  [ $status -eq 0 ] && [ ! -s "$work/err" ] && python3 "$work/frames.py" "$work"/it.* "$count" "$delay" \
    >"$work/out" 2>&1
  check "$title" "$work/out" "$work/err"
}
# from 0 to 2 s with both ends: the number of pictures is 2 s times the rate, plus one
frames 0 41 0.05 "a log: 20 pictures a second, 2 s" -o "$work/it.gif" "$work/drop.csv"
frames 1 21 0.1 "10 pictures a second" -f 10 -o "$work/it.gif" "$work/drop.csv"
frames 2 41 0.1 "at half of the speed it takes twice as long" -f 10 -s 0.5 -o "$work/it.gif" "$work/drop.csv"
frames 0 11 0.1 "at twice the speed half as long" -f 10 -s 2 -o "$work/it.gif" "$work/drop.csv"
"$exe" -q --set duration=0.5 --report "$work/kerb.html" scenarios/hardpoints/kerb_strike.yaml 2>"$work/err" ||
  "$exe" -q --set run.duration=0.5 --report "$work/kerb.html" scenarios/hardpoints/kerb_strike.yaml || exit 2
if command -v chromium >/dev/null 2>&1; then
  frames 1 6 0.1 "a page: every tenth of a second of half a second" -f 10 -o "$work/it.png" "$work/kerb.html"
  frames 2 11 0.2 "from the seat, at a quarter of the speed" -f 5 -s 0.25 -v driver -x 500 -o "$work/it.png" \
    "$work/kerb.html"
  # the page plays 200 mm of travel with 40 mm a second: 5 s
  "$sweep" --report "$work/kc.html" --travel=-100:100:5 --sweep=travel \
    scenarios/suspensions/dw_front_sports.yaml || exit 2
  frames 0 11 0.5 "a suspension's page: as long as its viewer plays" -f 2 -x 500 -o "$work/it.png" "$work/kc.html"
  echo '<!DOCTYPE html><title>t</title>' >"$work/other.html"
  sh scripts/animate -o "$work/none.png" "$work/other.html" >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && grep -q 'is no page with a viewer' "$work/err" && [ ! -e "$work/none.png" ]
  check "refused: another page" "$work/err"
else
  skip "a page" "no chromium"
  skip "from the seat" "no chromium"
  skip "a suspension's page" "no chromium"
  skip "refused: another page" "no chromium"
fi

refused() { # PATTERN ARGUMENT...
  pattern=$1
  shift
  sh scripts/animate "$@" >"$work/out" 2>"$work/err"
  [ $? -eq 2 ] && grep -q -e "$pattern" "$work/err"
  check "refused: $pattern" "$work/err"
}
refused 'no such file' "$work/nowhere.csv"
refused 'ends in .gif, .png or .mp4' -o "$work/a.avi" "$work/drop.csv"
refused 'takes a number from 0.01 to 100' -s 0 "$work/drop.csv"
refused "has no view 'nope'" -v nope "$work/kerb.html"
refused '-t is for a log' -t run "$work/kerb.html"
refused '-v and -x are for a page' -v above "$work/drop.csv"
refused 'one log or page' "$work/drop.csv" "$work/drop.csv"
if drawn 1 3; then
  sh scripts/animate -f 10 -o "$work/it.mp4" "$work/drop.csv" 2>"$work/err" &&
    [ "$(head -c 8 "$work/it.mp4" | tail -c 4)" = ftyp ]
  check "an MP4" "$work/err"
else
  skip "an MP4" "another third is drawn"
fi
all_well
