#!/bin/sh
# Differences of metrics, for tests/scripts/scenario_accuracy.sh and scripts/bench; read by: . tests/common/differ.sh

# Prints lines "difference name" for the metrics of two files, the largest difference first. A difference is divided by
# the metric or by the scale of its unit, whichever is larger: 0.1 rad, 1 kN, 1 kJ, or 1 of other units. The ledger
# residual is an error by itself. A metric with a value in only one of the files differs by 1.
differences() { # METRICS.csv METRICS.csv
  awk -F, '
    BEGIN { scale["rad"] = 0.1; scale["N"] = scale["J"] = 1000 }
    FNR == 1 || $1 ~ /^(ledger_residual|integration_error)/ { next }
    NR == FNR { value[$1] = $2; next }
    $1 in value {
      most = $3 in scale ? scale[$3] : 1
      if (most < $2) most = $2
      if (most < -$2) most = -$2
      difference = ($2 == "") != (value[$1] == "") ? 1 : (value[$1] - $2)/most
      printf "%.1e %s\n", difference < 0 ? -difference : difference, $1
    }' "$1" "$2" | sort -gr
}
