# shellcheck shell=bash
# Completion of vdsim-xcheck for bash: options, their words, curves, and files.

_vdsim_xcheck_take() {
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$line")
  done
}

# The last of values with commas between them; the ones before it stay.
_vdsim_xcheck_words() { # CURRENT WORD...
  local current=$1 before=""
  shift
  [[ $current == *,* ]] && before=${current%,*},
  _vdsim_xcheck_take "$current" < <(printf "$before%s\n" "$@")
}

_vdsim_xcheck_files() { # CURRENT ENDING...
  local line current=$1 ending
  shift
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(for ending in "$@"; do compgen -f -X "!*.$ending" -- "$current"; done; compgen -d -- "$current")
}

_vdsim_xcheck() {
  local program=$1 current=$2 option=$3
  COMPREPLY=()
  # bash makes a word of its own of `=`
  if [[ $current == "=" ]]; then
    current=""
    option=${COMP_WORDS[COMP_CWORD - 1]}
  elif [[ $option == "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $option == --curves ]]; then
    option="" # its list comes behind `=` only
  fi
  case $option in
    --axes) _vdsim_xcheck_words "$current" iso adams ;;
    --length-unit) _vdsim_xcheck_words "$current" m mm ;;
    --axle) _vdsim_xcheck_words "$current" front rear ;;
    --side) _vdsim_xcheck_words "$current" left right ;;
    --steering) _vdsim_xcheck_words "$current" rack none ;;
    --format) _vdsim_xcheck_words "$current" yaml hardpoints curves ;;
    --curves)
      _vdsim_xcheck_words "$current" toe_deg camber_deg caster_deg kpi_deg half_track_change_mm wheel_x_mm wheel_y_mm \
        patch_x_mm patch_y_mm scrub_mm trail_mm spring_length_mm motion_ratio roll_centre_z_mm
      ;;
    --import) _vdsim_xcheck_files "$current" csv ;;
    -o | --output | --export-adams) _vdsim_xcheck_files "$current" csv yaml ;;
    --rtol | --atol | --toe0 | --camber0 | --radius | --travel | --rack) ;;
    *)
      if [[ $current == -* ]]; then
        _vdsim_xcheck_take "$current" < <("$program" --help 2>/dev/null | awk '
          $1 ~ /^-/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/\[.*/, "", $i); print $i } }')
      else
        _vdsim_xcheck_files "$current" yaml yml csv
      fi
      ;;
  esac
}

complete -F _vdsim_xcheck vdsim-xcheck
