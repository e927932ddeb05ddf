#!/usr/bin/env bash
# ./fees.sh ETHEREUM 2025-11-01 2025-11-30 writes what was paid in fees on each of these days to fees.csv, and shows it.
set -euo pipefail
chain=${1:-ETHEREUM} start_date=${2:-2025-11-01} end_date=${3:-2025-11-30}
url=${CHAIN_INSIGHTS_URL:-http://localhost:3000}
answer=$(mktemp) headers=$(mktemp)
trap 'rm -f "$answer" "$headers"' EXIT

# curl itself waits for as long as Retry-After says, a minute at most in all, and tries five times.
came=$(curl --silent --show-error --fail-with-body --max-time 30 --retry 4 --retry-max-time 60 \
  --get "${url%/}/api/chain-insights/fees" \
  --data-urlencode "chain=$chain" --data-urlencode "start_date=$start_date" --data-urlencode "end_date=$end_date" \
  --header "X-API-Key: ${CHAIN_INSIGHTS_KEY:-}" --header 'Accept: text/csv' \
  --output "$answer" --dump-header "$headers" \
  --write-out '%{url_effective}, but %{http_code} %{content_type}') || {
  # The answer has the reason then.
  cat "$answer" >&2
  exit 1
}
# Something else than the API, such as a proxy, has no such header.
missing=$(grep -i '^x-days-missing:' "$headers" | tr -dc 0-9) || {
  echo "fees.csv is left as it was: no fees came from $came" >&2
  exit 1
}
cp "$answer" fees.csv
tr ',' '\t' < fees.csv
# A day that is not final has no line, nor has one that is not over, or one before the chain's first: those are in neither number.
echo "days with a figure: $(($(wc -l < fees.csv) - 1)); without, from the chain's first to yesterday: $missing"
