#!/usr/bin/env bash
# The steps of the action, as a shell: reads the event of the workflow, then tests, and sets outputs.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# What the checkout holds of this name is no result of this job.
rm -rf proofmark-report
# A suite that is saved in a service is run there.
if [[ -n ${INPUT_SUITE:-} ]]; then
  if [[ -n ${INPUT_CONFORMANCE:-} ]]; then
    echo 'proofmark: the input conformance needs the suites of the checkout; leave out the input suite.' >&2
    exit 2
  fi
  exec bash "$here/service.sh"
fi

# Prints a value of the event as text, or nothing.
of_event() {
  [[ -f ${GITHUB_EVENT_PATH:-} ]] || return 0
  node -p 'const value = process.argv[2].split(".").reduce((at, key) => at?.[key], JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))); value ?? ""' \
    "$GITHUB_EVENT_PATH" "$1"
}

case ${GITHUB_EVENT_NAME:-} in
  pull_request | pull_request_target)
    base=$(of_event pull_request.base.sha)
    export INPUT_BASE=$base INPUT_TRUST_BASE=$base
    # The author of a fork wrote every file of the checkout, so none of them is started.
    if [[ $(of_event pull_request.head.repo.fork) != false && ${INPUT_MODE:-auto} == auto ]]; then
      export INPUT_MODE=replay
    fi
    # A shallow checkout does not have the base.
    git cat-file -e "$base^{commit}" 2> /dev/null || git fetch --quiet --depth 1 origin "$base" \
      || echo "proofmark: the base $base could not be fetched; give actions/checkout fetch-depth: 0." >&2
    ;;
  push | schedule | workflow_dispatch | merge_group | release)
    # These run what somebody with the right to push has pushed.
    export PROOFMARK_TRUST=1
    base=$(of_event before)
    if git cat-file -e "$base^{commit}" 2> /dev/null; then export INPUT_BASE=$base; fi
    ;;
esac

code=0
bash "$here/../ci.sh" || code=$?
summary=proofmark-report/summary.json
verdict=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).verdict' "$summary" 2> /dev/null) \
  || verdict=notEstablished
{
  echo "verdict=$verdict"
  echo "exit-code=$code"
  echo "report=proofmark-report"
} >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
