#!/usr/bin/env bash
# ./fees.sh ETHEREUM 30-days-ago yesterday: writes the fees of each day to fees.csv, and prints them.
set -euo pipefail
chain=${1:-ETHEREUM} start_date=${2:-30-days-ago} end_date=${3:-yesterday}
url=${CHAIN_INSIGHTS_URL:-http://localhost:3000}
body=$(mktemp) headers=$(mktemp)
trap 'rm -f "$body" "$headers"' EXIT

# curl retries up to four times, after the number of seconds in Retry-After, for at most a minute in all.
received=$(curl --silent --show-error --fail-with-body --max-time 30 --retry 4 --retry-max-time 60 \
  --get "${url%/}/api/chain-insights/fees" \
  --data-urlencode "chain=$chain" --data-urlencode "start_date=$start_date" --data-urlencode "end_date=$end_date" \
  --header "X-API-Key: ${CHAIN_INSIGHTS_KEY:-}" --header 'Accept: text/csv' \
  --output "$body" --dump-header "$headers" \
  --write-out '%{http_code} %{content_type} from %{url_effective}') || {
  # The body states the reason.
  cat "$body" >&2
  exit 1
}
number() { grep -i "^$1:" "$headers" | tr -dc 0-9; }
# Without this header, not the API responded but, for example, a proxy.
missing=$(number x-days-missing) || {
  echo "fees.csv is unchanged. Unexpected response: $received" >&2
  exit 1
}
cp "$body" fees.csv
tr ',' '\t' < fees.csv
echo "days with a figure: $(($(wc -l < fees.csv) - 1)); without: $missing; not over: $(number x-days-not-over)"
