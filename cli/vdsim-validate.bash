# shellcheck shell=bash
# Completion of vdsim-validate for bash: options and files.

_vdsim_validate_take() {
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$line")
  done
}

# Blocks of keys, as --list-keys= takes them.
_vdsim_validate_blocks() {
  _vdsim_validate_take "$2" < <("$1" --list-keys 2>/dev/null | awk -F '\t' '{ sub(/[.[].*/, "", $1); if (!seen[$1]++) print $1 }')
}

_vdsim_validate_files() { # CURRENT ENDING...
  local line current=$1 ending
  shift
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(for ending in "$@"; do compgen -f -X "!*.$ending" -- "$current"; done; compgen -d -- "$current")
}

_vdsim_validate() {
  local program=$1 current=$2 option=$3
  COMPREPLY=()
  # bash makes a word of its own of `=`
  if [[ $current == "=" ]]; then
    current=""
    option=${COMP_WORDS[COMP_CWORD - 1]}
  elif [[ $option == "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $option == --list-keys ]]; then
    option="" # its block comes behind `=` only
  fi
  case $option in
    --csv | --against) _vdsim_validate_files "$current" csv ;;
    --junit) _vdsim_validate_files "$current" xml ;;
    --tolerances) _vdsim_validate_files "$current" yaml yml ;;
    -o | --output) _vdsim_validate_files "$current" txt tap ;;
    --report | --write-baselines) _vdsim_validate_files "$current" "" ;;
    --filter)
      _vdsim_validate_take "$current" < <("$program" --list 2>/dev/null | sed 's|/.*|/*|' | uniq)
      ;;
    --list-keys) _vdsim_validate_blocks "$program" "$current" ;;
    -j | --jobs | --scale | --set) ;;
    *)
      if [[ $current == -* ]]; then
        _vdsim_validate_take "$current" < <("$program" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)
      else
        _vdsim_validate_files "$current" yaml yml
      fi
      ;;
  esac
}

complete -F _vdsim_validate vdsim-validate
