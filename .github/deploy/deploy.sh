#!/usr/bin/env bash
# Deploys a stage from its synthesized assembly, and then probes it: deploy.sh <stage> <folder of the assembly>
set -euo pipefail

stage=$1
assembly=$2
cdk=$(dirname "$0")/node_modules/.bin/cdk
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$cdk" diff --ci --app "$assembly"
"$cdk" deploy --ci --require-approval never --app "$assembly" --outputs-file "$folder/outputs.json"

# Prints a member of a JSON file, or nothing: read_json <file> <name>...
read_json() {
  node -p 'process.argv.slice(2).reduce((value, name) => value?.[name], JSON.parse(fs.readFileSync(process.argv[1], "utf8"))) ?? ""' "$@"
}

function_name=$(read_json "$folder/outputs.json" "ChainInsights-$stage" ProbeFunctionName)
if [[ -z $function_name ]]; then
  echo "ChainInsights-$stage has no output ProbeFunctionName, so it was not probed."
  exit 0
fi

aws lambda invoke --function-name "$function_name" --payload '{}' --cli-binary-format raw-in-base64-out \
  --cli-read-timeout 900 "$folder/answer.json"
cat "$folder/answer.json"
echo
if [[ $(read_json "$folder/answer.json" outcome) != ok ]]; then
  echo "The probe of ChainInsights-$stage failed: its outcome is not ok. Read its answer above, and deploy the version before if needed." >&2
  exit 1
fi
