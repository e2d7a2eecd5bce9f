#!/bin/sh
# Differences of metrics, for tests/scripts/scenario_accuracy.sh and scripts/bench. Read first: . tests/common/differ.sh

# Lines "difference name" of the metrics of the second file from those of the first, in parts of the metric or of the
# scale of its unit, whichever is larger: 0.1 rad, 1 kN, 1 kJ, 1 in others. The largest is first. The ledger's residual
# is an error itself. A metric without a value in one of the two differs by 1.
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
