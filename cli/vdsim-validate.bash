# bash completion for vdsim-validate
_vdsim_validate() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  case $before in
    -j | --jobs | --filter | --scale | --set) return ;;
    --write-baselines) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --csv | --against) mapfile -t COMPREPLY < <(compgen -f -X '!*.csv' -- "$word"); return ;;
    --junit) mapfile -t COMPREPLY < <(compgen -f -X '!*.xml' -- "$word"); return ;;
  esac
  if [[ $word == -* && $before != --tolerances ]]; then
    mapfile -t COMPREPLY < <(compgen -W "-j -q -v -h --tap --junit --csv --jobs --filter --scale --list --list-keys
      --against --tolerances --set --write-baselines --quiet --verbose --help --version" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$word"; compgen -d -- "$word")
  fi
}
complete -o filenames -F _vdsim_validate vdsim-validate
