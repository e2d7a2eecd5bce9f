#!/bin/sh
# The sources compile for other processors and C libraries (musl, i386, aarch64, big-endian s390x), and a short list of
# tests passes there. Scripts need only the awk and sed of POSIX. Runs only with `scripts/test --all`.
# Usage: tests/scripts/systems.sh VDSIM-RUN
# Parts without their compiler or emulator are skipped. Reads the tree and headers of the system; writes a temporary
# folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
[ "$seed" = all ] || { echo "1..0 # SKIP only with --all"; exit 0; }

list="base/num math/lu math/chain math/chebyshev math/root math/steps math/butterworth math/sqp"
plan 15

# Headers of libraries that do not depend on the system; the headers of the C library come with the compiler.
mkdir "$work/include"
for name in yaml.h csv.h zip.h; do cp "/usr/include/$name" "$work/include"; done
find /usr/include -name zipconf.h -exec cp {} "$work/include" \;

echo '#define VDSIM_VERSION "1"' >"$work/include/version.h"
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -include $work/include/version.h -Ilib -I$work/include -Itests/common"
flags="$flags -ffp-contract=off -Wno-psabi"
compile_all() { # COMPILER OPTION...
  find lib -name '*.c' | grep -v -e gsl_quiet -e least_squares -e fmi/fmi -e fmi/mockup >"$work/files"
  while read -r file; do
    # shellcheck disable=SC2086
    "$@" $flags -Wall -Werror -fsyntax-only "$file" || return 1
  done <"$work/files" >"$work/out" 2>"$work/err"
}
# Runs tests of the base and the mathematics, which need no external library.
short_list() { # RUNNER COMPILER OPTION...
  runner=$1
  shift
  rm -rf "$work/objects"
  mkdir "$work/objects"
  find "$top/lib/base" "$top/lib/math" -name '*.c' | grep -v -e gsl_quiet -e least_squares >"$work/files"
  # shellcheck disable=SC2086,SC2046
  (cd "$work/objects" && "$@" $(echo "$flags" | sed "s| -I\([a-z]\)| -I$top/\1|g") -O1 -c "$top/tests/common/tap.c" \
    $(cat "$work/files")) 2>"$work/err" || return 1
  for source in common/bits $list; do
    # shellcheck disable=SC2086
    "$@" $flags -O1 -static "tests/$source.c" "$work"/objects/*.o -o "$work/test" -lm -lpthread 2>"$work/err" &&
      VDSIM_SAMPLE=1 $runner "$work/test" >"$work/out" 2>>"$work/err" || return 1
    [ "$source" != common/bits ] || cp "$work/out" "$work/bits"
  done
}
short_list "" cc && mv "$work/bits" "$work/bits-here"
for system in "musl::musl-gcc" "i386::i686-linux-gnu-gcc -msse2 -mfpmath=sse" \
  "aarch64:qemu-aarch64:aarch64-linux-gnu-gcc" "s390x:qemu-s390x:s390x-linux-gnu-gcc"; do
  name=${system%%:*} rest=${system#*:}
  runner=${rest%%:*} compiler=${rest#*:}
  if ! command -v "${compiler%% *}" >/dev/null || { [ -n "$runner" ] && ! command -v "$runner" >/dev/null; }; then
    skip "$name: the sources compile" "no ${compiler%% *} or $runner"
    skip "$name: a short list of tests passes" "no ${compiler%% *} or $runner"
    skip "$name: functions, transforms, eigenvalues and texts have the bits of this machine" \
      "no ${compiler%% *} or $runner"
    continue
  fi
  # shellcheck disable=SC2086
  compile_all $compiler
  check "$name: the sources compile"
  # shellcheck disable=SC2086
  short_list "$runner" $compiler
  check "$name: a short list of tests passes"
  cmp "$work/bits" "$work/bits-here" >"$work/out" 2>"$work/err"
  check "$name: functions, transforms, eigenvalues and texts have the bits of this machine"
done

# --- scripts with other tools: the awk of BSD and macOS, and the tools of busybox, which lack options of GNU

tools() { # NAME COMMAND...: a folder with these commands in place of the system's
  mkdir -p "$work/$1"
  printf '#!/bin/sh\nexec %s "$@"\n' "$3" >"$work/$1/$2"
  chmod +x "$work/$1/$2"
}
docs() { # FOLDER: what a script makes of the manual with these tools
  PATH="$work/$1:$PATH" sh -c '
    awk -f scripts/markdown.awk README.md
    awk -v output=plain -f lib/wide_names.awk lib/tyre/tmeasy.c
    sed -f cli/embed.sed cli/viewer.js
    sed -f scripts/install.sed scripts/compare'
}
docs none >"$work/usual" 2>"$work/err"
if command -v original-awk >/dev/null; then
  tools bsd awk original-awk
  docs bsd >"$work/out" 2>"$work/err" && cmp "$work/usual" "$work/out" >>"$work/err"
  check "the scripts of awk give equal output with the awk of BSD and macOS" "$work/err"
else
  skip "the scripts of awk give equal output with the awk of BSD and macOS" "no original-awk"
fi
if command -v busybox >/dev/null; then
  for tool in awk sed; do tools busybox $tool "busybox $tool"; done
  docs busybox >"$work/out" 2>"$work/err" && cmp "$work/usual" "$work/out" >>"$work/err"
  check "the scripts run with awk and sed of busybox" "$work/err"
else
  skip "the scripts run with awk and sed of busybox" "no busybox"
fi
# Scripts that run in a build or for a user must not use options of GNU that the tools of macOS lack.
! grep -nE '(^|[ (|;])(sed (-i|-r|--[a-z])|grep -P|readlink -f|date -d|stat -c|sort -V|head -c|xargs -r|mktemp --)' \
  scripts/animate scripts/commit scripts/compare scripts/demo scripts/docs scripts/launcher.in scripts/mesh \
  scripts/setup scripts/test lib/meson.build cli/meson.build >"$work/out"
check "scripts use no options that only the GNU tools have"
all_well
