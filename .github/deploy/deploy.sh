#!/usr/bin/env bash
# Deploys a stage from its synthesized assembly and probes it: deploy.sh <stage> <folder of the assembly>
# If the probe succeeded before and fails afterwards, the version before is deployed again. It stays in <folder of the assembly>-before.
set -euo pipefail

stage=${1:?Usage: deploy.sh <stage> <folder of the assembly>}
assembly=${2:?Usage: deploy.sh <stage> <folder of the assembly>}
before=$assembly-before
stack=ChainInsights-$stage
here=$(dirname "$0")
cdk=$here/node_modules/.bin/cdk
if [[ ! -x $cdk ]]; then
  cdk=$here/../../node_modules/.bin/cdk
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

deploy() {
  "$cdk" deploy --ci --require-approval never --app "$1"
}

# Prints the outcome of one probe: ok, failed, "no key", or none if the stack has no probe. Its answer goes to standard error.
probe() {
  local name
  name=$(aws cloudformation describe-stacks --stack-name "$stack" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='ProbeFunctionName'].OutputValue")
  if [[ -z $name || $name == None ]]; then
    echo none
    return
  fi
  aws lambda invoke --function-name "$name" --payload '{}' --cli-binary-format raw-in-base64-out \
    --cli-read-timeout 900 "$folder/answer.json" >&2
  cat "$folder/answer.json" >&2
  echo >&2
  if grep -q '"outcome": *"ok"' "$folder/answer.json"; then
    echo ok
  elif grep -q 'The probe has no key' "$folder/answer.json"; then
    echo 'no key'
  else
    echo failed
  fi
}

# Prints the outcome of up to three probes: a new version may need a moment.
probe_again() {
  local outcome
  for pause in 20 40 0; do
    outcome=$(probe)
    [[ $outcome == failed ]] || break
    sleep "$pause"
  done
  echo "$outcome"
}

outcome_before=none
if aws cloudformation get-template --stack-name "$stack" --query TemplateBody --output json \
  > "$folder/template.json" 2> "$folder/error"; then
  node "$here/assembly-before.mjs" "$assembly" "$stack" "$folder/template.json" "$before"
  outcome_before=$(probe)
elif ! grep -q 'does not exist' "$folder/error"; then
  cat "$folder/error" >&2
  exit 1
fi

"$cdk" diff --ci --app "$assembly"
deploy "$assembly"

outcome=$(probe_again)
case $outcome in
  ok)
    echo "$stack is deployed, and its probe succeeded."
    exit 0
    ;;
  none)
    echo "$stack is deployed. It has no output ProbeFunctionName, so it was not probed."
    exit 0
    ;;
  'no key')
    echo "$stack is deployed, and its probe has no key yet. Issue one: npx --no chain-insights keys probe --stage $stage"
    exit 0
    ;;
esac

case $outcome_before in
  ok)
    echo "The probe of $stack succeeded before this version and fails with it. Deploying the version before." >&2
    deploy "$before"
    echo "$stack has the version before again. Its probe: $(probe_again). This version's answer is above." >&2
    exit 1
    ;;
  failed)
    echo "$stack is deployed. Its probe fails as it did before, so this version is probably not the cause: docs/operate/runbook.md#probe-failing"
    exit 0
    ;;
esac
echo "$stack is deployed, and its probe failed: docs/operate/runbook.md#probe-failing. There was no probe of the version before." >&2
exit 1
