#!/usr/bin/env bash
# Tests the suite files of this folder without a service and writes the report folder
# `proofmark-report`: report.md, report.html, junit.xml, proofmark.sarif, summary.json, test.json,
# test.sarif, lint.json and lint.sarif. Some need their cause: base-lint.json (INPUT_BASE), kept.json
# (INPUT_URL), conformance.json and conformance.txt (INPUT_CONFORMANCE), and log.txt in place of test.json after an error.
# Ends with 0 passed, 1 failed, 2 wrong use, 3 anything else. All inputs are optional variables:
#   INPUT_SUITES      suite files, one per line or separated by spaces (default: those of the folder)
#   INPUT_MODE        auto, live or replay (default: auto, which is live)
#   INPUT_STRICT      true: warnings of lint fail the job
#   INPUT_COMMAND     a proofmark command that is already there
#   INPUT_VERSION     a version of the command to install from the npm registry
#   INPUT_URL, INPUT_API_KEY, INPUT_PROJECT   a service that keeps the results
#   INPUT_CONFORMANCE the address of a running server for the official conformance suite of node_modules
#   INPUT_CONFORMANCE_SPEC  the revision to test, or all (default: the newest that the server speaks)
#   INPUT_COMMENT     false: write no comment on a pull request
#   INPUT_BASE        the commit to compare the tools with
#   INPUT_TRUST_BASE  the commit whose programs may be started (PROOFMARK_TRUST=1: all may be)
# Empty arrays are written as ${name[@]+"${name[@]}"}: bash before 4.4 takes them for unset.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
report=proofmark-report
base=${INPUT_BASE:-${INPUT_TRUST_BASE:-}}
scratch=$(mktemp -d)
clean_up() {
  [[ ! -d $scratch/base ]] || git worktree remove --force "$scratch/base" 2> /dev/null
  rm -rf "$scratch"
}
trap clean_up EXIT
# What an earlier job left here must not be taken for results of this one.
rm -rf "$report" && mkdir "$report" || exit 3

problem() {
  echo "proofmark: $1" >&2
  exit "$2"
}

choose_command() {
  local own="$here/../packages/cli/bin/proofmark.js"
  if [[ -n ${INPUT_COMMAND:-} ]]; then
    read -r -a command <<< "$INPUT_COMMAND"
  elif [[ -n ${INPUT_VERSION:-} ]]; then
    # Outside the checkout, whose npm settings and packages could replace the command.
    (cd "$scratch" && npm install --no-audit --no-fund --ignore-scripts --prefix "$scratch/command" \
      "proofmark@$INPUT_VERSION" > /dev/null) || problem "version $INPUT_VERSION could not be installed." 3
    command=(node "$scratch/command/node_modules/proofmark/bin/proofmark.js")
  elif [[ -f $own ]]; then
    # A clone of the repository builds its own command on first use.
    command=(node "$own")
    "${command[@]}" --version > /dev/null || problem 'the command could not be built.' 3
  elif command -v proofmark > /dev/null; then
    command=(proofmark)
  else
    problem 'there is no proofmark command: set INPUT_COMMAND or INPUT_VERSION.' 2
  fi
}
# No variable of a CI job is to choose a service for the commands that work without one.
proofmark() { env -u PROOFMARK_URL -u PROOFMARK_API_KEY -u PROOFMARK_PROJECT "${command[@]}" "$@"; }

read_suites() {
  suites=()
  local name
  # Names are split at white space and not expanded: the command itself reads folders.
  while read -r name; do [[ -z $name ]] || suites+=("$name"); done \
    < <(tr -s ' \t\r' '\n' <<< "${INPUT_SUITES:-}")
}

# The suites with a pinned surface beside them, of those that are tested.
pinned_suites() {
  pinned=()
  local name
  if [[ ${#suites[@]} -gt 0 ]]; then
    for name in "${suites[@]}"; do [[ ! -f $name.surface.json ]] || pinned+=("$name"); done
  else
    for name in *.suite.y*ml *.suite.json proofmark/*.y*ml proofmark/*.json; do
      [[ ! -f $name.surface.json ]] || pinned+=("$name")
    done
  fi
}

# The tools of the base, for the comparison of the tools. A base whose packages differ would need an
# installation of its own, so its tools are then known from a pinned surface alone.
lint_base() {
  [[ -n $base ]] && git rev-parse --quiet --verify "$base^{commit}" > /dev/null || return 0
  git diff --quiet "$base" -- package.json package-lock.json pnpm-lock.yaml yarn.lock 2> /dev/null || return 0
  git worktree add --quiet --detach "$scratch/base" "$base" 2> /dev/null || return 0
  local place
  place="$scratch/base/$(git rev-parse --show-prefix)"
  [[ ! -d node_modules || -e $place/node_modules ]] || ln -s "$PWD/node_modules" "$place/node_modules"
  # The base is what the branch already runs, so its own programs need no further consent.
  (cd "$place" && PROOFMARK_TRUST=1 proofmark lint ${suites[@]+"${suites[@]}"} --json) \
    > "$report/base-lint.json" 2> /dev/null || [[ $? -eq 1 ]] || rm -f "$report/base-lint.json"
}

choose_command
read_suites
case ${INPUT_MODE:-auto} in
  auto | live) mode=live ;;
  replay) mode=replay ;;
  *) problem 'INPUT_MODE is auto, live or replay.' 2 ;;
esac
conformance=node_modules/@modelcontextprotocol/conformance
if [[ -n ${INPUT_CONFORMANCE:-} && ! -d $conformance ]]; then
  problem 'INPUT_CONFORMANCE needs the package @modelcontextprotocol/conformance in node_modules.' 2
fi
trust=()
[[ -z ${INPUT_TRUST_BASE:-} ]] || trust=(--trust-base "$INPUT_TRUST_BASE")
strict=()
[[ ${INPUT_STRICT:-} != true ]] || strict=(--strict)

# A server or a suite could otherwise write commands of the workflow into the log.
quiet=
if [[ ${GITHUB_ACTIONS:-} == true ]]; then
  quiet=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$quiet"
fi

lint_code=0
if [[ $mode == live ]]; then
  proofmark lint ${suites[@]+"${suites[@]}"} ${trust[@]+"${trust[@]}"} ${strict[@]+"${strict[@]}"} --json --sarif "$report/lint.sarif" \
    > "$report/lint.json" || lint_code=$?
  lint_base
else
  # A replay starts nothing, so only the suites that have a pin can be linted.
  pinned_suites
  if [[ ${#pinned[@]} -gt 0 ]]; then
    proofmark lint "${pinned[@]}" --pinned ${strict[@]+"${strict[@]}"} --json --sarif "$report/lint.sarif" \
      > "$report/lint.json" || lint_code=$?
  fi
fi

# Its failures are those that conformance-baseline.yml does not expect. The suite gets no variable of
# the job.
conformance_code=0
if [[ $mode == replay && -n ${INPUT_CONFORMANCE:-} ]]; then
  echo leftOut > "$report/conformance-end.txt"
elif [[ -n ${INPUT_CONFORMANCE:-} ]]; then
  how=(${INPUT_CONFORMANCE_SPEC:+--spec "$INPUT_CONFORMANCE_SPEC"})
  [[ ! -f conformance-baseline.yml ]] || how+=(--expected-failures conformance-baseline.yml)
  PROOFMARK_CONFORMANCE="$PWD/$conformance" proofmark conformance "$INPUT_CONFORMANCE" --json ${how[@]+"${how[@]}"} \
    > "$report/conformance.json" 2> "$report/conformance.txt" || conformance_code=$?
  cat "$report/conformance.txt" >&2
  echo "$conformance_code" > "$report/conformance-end.txt"
fi

outputs=(--html "$report/report.html" --junit "$report/junit.xml" --sarif "$report/test.sarif" --json "$report/test.json")
if [[ $mode == live ]]; then
  how=(${trust[@]+"${trust[@]}"})
else
  how=(--replay)
fi
# Its messages are shown as they come, and kept for the report.
{
  proofmark test ${suites[@]+"${suites[@]}"} ${how[@]+"${how[@]}"} "${outputs[@]}" 2>&1 >&3 \
    | tee "$scratch/log.txt" >&2
  test_code=${PIPESTATUS[0]}
} 3>&1
# The report quotes the reason if there is no answer.
[[ -f $report/test.json ]] || cp "$scratch/log.txt" "$report/log.txt"
[[ -z $quiet ]] || echo "::$quiet::"

# A failed suite outweighs a missing verdict, and both outweigh findings.
code=$test_code
[[ $code -ne 0 ]] || code=$lint_code
[[ $code -ne 0 ]] || code=$conformance_code

said=(--exit-code "$code")
[[ -z $base ]] || said+=(--base "$base")
[[ ${INPUT_COMMENT:-true} != false ]] || said+=(--no-comment)
if [[ -n ${INPUT_URL:-} && -s $report/junit.xml ]]; then
  if PROOFMARK_API_KEY=${INPUT_API_KEY:-} "${command[@]}" ingest "$report/junit.xml" --no-gate --json \
    --suite "${GITHUB_REPOSITORY:-${CI_PROJECT_PATH:-$(basename "$PWD")}}" --url "$INPUT_URL" \
    ${INPUT_PROJECT:+--project "$INPUT_PROJECT"} > "$report/kept.json"; then
    said+=(--service "$INPUT_URL")
  else
    echo 'proofmark: the service did not take the results; the verdict stands.' >&2
  fi
fi

proofmark report ci "$report" "${said[@]}" || [[ $code -ne 0 ]] || code=3
exit "$code"
