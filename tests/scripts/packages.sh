#!/bin/sh
# Debian's packages build, and their contents work in a root folder: the demo's scenario gives the bytes of this build,
# and Python and a C program run. The library builds as a subproject of meson without programs, tests and GSL. The
# archive of `meson dist` builds and passes a short list of tests. Runs only with `scripts/test --all`.
# Usage: tests/scripts/packages.sh VDSIM-RUN
# Parts without their tools (dpkg-buildpackage, debhelper, lintian) are skipped. Reads the tree; writes a temporary
# folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
[ "$seed" = all ] || { echo "1..0 # SKIP only with --all"; exit 0; }

plan 13
# copies the files of the tree, without build folders
copy() { # FOLDER
  mkdir -p "$1" && { git ls-files -z 2>/dev/null || find . -type f -not -path './build*' -print0; } |
    xargs -0 tar cf - | tar xf - -C "$1"
}
demo=handling/step_steer.yaml
"$exe" -q --exact -o "$work/here.csv" "$demo"

# --- Debian's packages

root=$work/root
if command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null; then
  # "noopt" saves most of the time of the build; the bytes of logs do not depend on it
  copy "$work/debian/vdsim" && cd "$work/debian/vdsim" &&
    DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-noopt} dpkg-buildpackage -b -uc -us -d >"$work/out" 2>"$work/err"
  check "Debian's packages build"
  cd "$top" || exit 2
  (cd "$work/debian" && for package in *.deb; do echo "${package%%_*}"; done) | grep -v -e '-dbgsym$' | sort |
    tr '\n' ' ' >"$work/out"
  grep -q '^libvdsim-dev libvdsim1 python3-vdsim vdsim vdsim-doc $' "$work/out"
  check "there are packages of the programs, the library, its headers, Python and documentation"
  if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$work"/debian/*.changes >"$work/out" 2>"$work/err"
    check "lintian has neither errors nor warnings"
  else
    skip "lintian has neither errors nor warnings" "no lintian"
  fi
  mkdir "$root"
  for package in "$work"/debian/*.deb; do dpkg-deb -x "$package" "$root"; done
  libraries=$(dirname "$(find "$root/usr/lib" -name 'libvdsim.so.1')")
  cd "$work" &&
    env -i PATH=/usr/bin:/bin "$root/usr/bin/vdsim-run" -q --exact -o there.csv "$demo" >"$work/out" 2>"$work/err" &&
    cmp here.csv there.csv >"$work/out"
  check "the packages, unpacked into a folder, run the demo to the same bytes"
  env -i PATH=/usr/bin:/bin "$root/usr/bin/vdsim-run" --version | grep -q "^data: $root/usr/share/vdsim$"
  check "vdsim-run of the packages uses the data in the folder into which they are unpacked"
  PYTHONPATH=$root/usr/lib/python3/dist-packages python3 -B -c "
import vdsim
assert str(vdsim.data_file()) == '$root/usr/share/vdsim', vdsim.data_file()
run = vdsim.run('$demo')
with open('here.csv') as log:
    assert [repr(float(line.split(',')[0])) for line in list(log)[1:]] == [repr(float(t)) for t in run['t_s']]" \
    >"$work/out" 2>"$work/err"
  check "the package for Python finds its library and its files in the folder of the packages"
  cat >program.c <<END
#include <stdio.h>
#include <vdsim.h>
int main(void) {
  vd_case *c;
  if (vd_load_file("$demo", NULL, 0, &c) != VD_OK || vd_abi() != VD_ABI)
    return puts(vd_messages_text(c)), 2;
  return puts(vd_version_string()) < 0;
}
END
  ${CC:-cc} program.c -I"$root/usr/include" -L"$libraries" -lvdsim -o program >"$work/out" 2>"$work/err" &&
    LD_LIBRARY_PATH=$libraries ./program >"$work/out" 2>"$work/err"
  check "a C program builds with the headers and runs with the library"
  [ -f "$root/usr/share/man/man1/vdsim-run.1.gz" ] && [ -f "$root/usr/share/man/man3/vdsim.3.gz" ] &&
    [ -n "$(find "$root/usr/share/doc" -name 'README*')" ]
  check "the package vdsim-doc has the manual" "$work/err"
else
  while [ $test_number -lt 8 ]; do skip "Debian's packages" "no dpkg-buildpackage or debhelper"; done
fi

# --- a subproject

mkdir -p "$work/user/subprojects"
cd "$top" && copy "$work/user/subprojects/vdsim" && cd "$work/user" || exit 2
cat >meson.build <<END
project('user', 'c')
vdsim = subproject('vdsim', default_options: ['programs=false', 'tests=false', 'optimization=0'])
executable('drive', 'drive.c', dependencies: vdsim.get_variable('vdsim_dep'))
END
cat >drive.c <<END
#include <stdio.h>
#include <vdsim.h>
int main(void) {
  vd_case *c;
  vd_run *run;
  if (vd_load_file("$top/scenarios/$demo", NULL, 0, &c) != VD_OK)
    return 2;
  vd_build(c, 0, &run);
  while (vd_advance(run, vd_time(run) + 0.5) == VD_OK)
    ;
  printf("%.9g,%.9g\n", vd_time(run), vd_value(run, vd_channel_find(c, "yaw_rate_radps")));
  vd_run_free(run);
  vd_case_free(c);
}
END
# without GSL, as if it were not installed
mkdir pc && for name in yaml-0.1 libzip; do cp "$(pkg-config --variable=pcfiledir $name)/$name.pc" pc; done
for file in "$(pkg-config --variable=pcfiledir zlib 2>/dev/null)"/*.pc; do
  case $file in */gsl.pc | *"*.pc") ;; *) cp "$file" pc ;; esac
done
PKG_CONFIG_LIBDIR=$work/user/pc meson setup build >"$work/out" 2>"$work/err" &&
  ninja -C build >>"$work/out" 2>>"$work/err"
check "a project builds with this one as its subproject, without GSL"
build/drive >"$work/out" 2>"$work/err" &&
  [ "$(cat "$work/out")" = "$("$exe" -q -c yaw_rate_radps "$demo" | tail -n 1)" ]
check "the installed library drives a car and gives the numbers of vdsim-run"
! ninja -C build -t targets all 2>/dev/null | grep -q -e 'cli/' -e 'tests/' -e 'vdsim-run'
check "the installed library has neither programs nor tests" "$work/err"

# --- the archive of a release

cd "$top" || exit 2
if [ "$(git rev-parse --show-prefix 2>/dev/null || echo none)" = "" ]; then
  build=$(dirname "$(dirname "$exe")")
  meson dist -C "$build" --no-tests --allow-dirty --formats gztar >"$work/out" 2>"$work/err" &&
    tar xzf "$build/meson-dist/vdsim-$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build).tar.gz" -C "$work"
  check "meson dist makes an archive"
  cd "$work"/vdsim-* && meson setup -Doptimization=0 build >"$work/out" 2>"$work/err" &&
    ninja -C build >"$work/out" 2>"$work/err" &&
    meson test -C build api eigen python_bare fmu2 man rules >"$work/out" 2>"$work/err"
  check "the tree of the archive builds and passes a short list of tests"
else
  skip "meson dist makes an archive" "no repository"
  skip "the tree of the archive builds and passes a short list of tests" "no repository"
fi
cd "$top" || exit 2
all_well
