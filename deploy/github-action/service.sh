#!/usr/bin/env bash
# Gets the command of the service, runs a saved suite there, reports the run, and ends with its code.
set -euo pipefail

export PROOFMARK_URL=${INPUT_URL:-${PROOFMARK_URL:-}} PROOFMARK_API_KEY=${INPUT_API_KEY:-${PROOFMARK_API_KEY:-}}
export PROOFMARK_PROJECT=${INPUT_PROJECT:-${PROOFMARK_PROJECT:-}}
if [[ -z $PROOFMARK_URL || -z $PROOFMARK_API_KEY ]]; then
  echo 'proofmark: a saved suite needs the inputs url and api-key.' >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for file in proofmark.mjs proofmark.json; do
  curl -fsSL --retry 3 -o "$folder/$file" "${PROOFMARK_URL%/}/cli/$file" || exit 3
done
node --input-type=module - "$folder" <<'JS' || exit 3
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
const folder = process.argv[2];
const { integrity } = JSON.parse(readFileSync(`${folder}/proofmark.json`, 'utf8'));
const hash = createHash('sha256').update(readFileSync(`${folder}/proofmark.mjs`)).digest('base64');
if (integrity !== `sha256-${hash}`) {
  console.error('The command is not the one that the service describes.');
  process.exit(1);
}
JS
proofmark() { node "$folder/proofmark.mjs" "$@"; }

code=0
proofmark eval run "$INPUT_SUITE" --wait --json > "$folder/decision.json" || code=$?
run=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).runId ?? ""' \
  "$folder/decision.json" 2> /dev/null) || run=
if [ -n "$run" ]; then
  echo "run-id=$run" >> "${GITHUB_OUTPUT:-/dev/null}"
  # What is told of a run does not change what it came to.
  proofmark report github "$run" || echo 'The run was not reported.' >&2
fi
exit "$code"
