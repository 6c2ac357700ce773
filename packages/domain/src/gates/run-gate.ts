/**
 * The gate for a run with bounds that the caller states: the pass rate, and the comparison with a
 * baseline. The bounds replace the run's thresholds but not its validity rules, so a run with too
 * few measurements cannot pass. A drop is found by pairing the cases of both runs; fewer than six
 * pairs give no answer.
 */
import { isPairedDrop, type PairedComparison } from '../statistics/paired-comparison.ts';
import { pairedSentence } from '../statistics/paired-words.ts';
import type { CaseChange } from '../suites/compare-cases.ts';
import { leftOutSentences, trialsOfPairs } from '../suites/left-out-cases.ts';
import { count, percent } from '../words/sentence.ts';
import type { GateResult } from './gate-result.ts';
import type { PassCount } from './measures.ts';

export interface RunAtGate {
  readonly status: string;
  /** The counts of the recorded trials; null until the run has ended. */
  readonly summary: {
    readonly total?: number | undefined;
    readonly passed?: number | undefined;
    readonly failed?: number | undefined;
  } | null;
  readonly verdictSummary?: { readonly validity: { readonly holds: boolean } } | null | undefined;
}

export interface CaseAtGate {
  readonly caseKey: string;
  readonly title: string;
  readonly status: CaseChange;
  readonly configChanged: boolean;
  readonly base: GradedTrials;
  readonly compare: GradedTrials;
}

interface GradedTrials {
  readonly passedTrials: number;
  readonly eligibleTrials: number;
}

export interface BaselineAtGate {
  readonly run: RunAtGate;
  readonly runNumber: number;
  readonly cases: readonly CaseAtGate[];
  /** Null if a run has no case. */
  readonly paired: PairedComparison | null;
  readonly evaluationConfigChanged: boolean;
}

export interface RunGateAsked {
  readonly minPassRate?: number | undefined;
  readonly baseline?: BaselineAtGate | undefined;
  /** If true, a case that occurs in only one of the two runs fails the gate. */
  readonly isSameCases?: boolean | undefined;
}

export interface RunGate {
  readonly outcome: 'passed' | 'failed' | 'incomplete';
  readonly gates: readonly GateResult[];
}

export function gateRun(
  run: RunAtGate,
  { minPassRate, baseline, isSameCases = false }: RunGateAsked,
): RunGate {
  const gates = [
    ...(minPassRate === undefined ? [] : [judgePassRate(run, minPassRate)]),
    ...(baseline === undefined ? [] : [judgeDrop(run, baseline)]),
    ...(baseline === undefined || !isSameCases ? [] : [judgeSameCases(run, baseline)]),
  ];
  const outcomes = new Set(gates.map(({ outcome }) => outcome));
  if (outcomes.has('failed')) return { outcome: 'failed', gates };
  const isAnswered = gates.length > 0 && !outcomes.has('non_gateable');
  return { outcome: isAnswered ? 'passed' : 'incomplete', gates };
}

function judgePassRate(run: RunAtGate, bound: number): GateResult {
  const gate = 'minimumPassRate';
  const counted = countTrials(run);
  if (typeof counted === 'string') return { gate, outcome: 'non_gateable', bound, reason: counted };
  const measured = counted.passed / counted.trials;
  const holds = measured >= bound;
  return {
    gate,
    bound,
    measured,
    outcome: holds ? 'passed' : 'failed',
    reason: `${passedOf(counted)}; ${holds ? 'at least' : 'fewer than'} the ${percent(bound)} that must pass.`,
  };
}

function judgeDrop(run: RunAtGate, baseline: BaselineAtGate): GateResult {
  const gate = 'noDropBelowBaseline';
  const withheld = (reason: string): GateResult => ({ gate, outcome: 'non_gateable', reason });
  const before = countTrials(baseline.run);
  const now = countTrials(run);
  if (typeof now === 'string') return withheld(now);
  if (typeof before === 'string')
    return withheld(`Run ${baseline.runNumber} cannot be compared: ${before}`);
  const differ = unlike(baseline);
  if (differ !== undefined) return withheld(differ);
  const { paired, cases } = baseline;
  if (paired === null) return withheld('One of the runs has no case to compare.');
  const base = `run ${baseline.runNumber}`;
  const reason = [
    pairedSentence(paired, trialsOfPairs(cases), base),
    ...leftOutSentences(paired, cases, base),
  ].join(' ');
  const measured = paired.difference === null ? {} : { measured: paired.difference };
  const isDrop = isPairedDrop(paired);
  if (isDrop === undefined) return { ...withheld(reason), ...measured, paired };
  return { gate, outcome: isDrop ? 'failed' : 'passed', ...measured, reason, paired };
}

function judgeSameCases(run: RunAtGate, baseline: BaselineAtGate): GateResult {
  const gate = 'sameCases';
  const open = [run, baseline.run].find(({ status }) => status !== 'completed');
  const { paired, cases, runNumber } = baseline;
  if (open !== undefined || paired === null) {
    const reason = 'The cases of the runs can be compared only when both runs are completed.';
    return { gate, outcome: 'non_gateable', reason };
  }
  const { left, right } = paired;
  const measured = left.length + right.length;
  if (measured === 0) {
    const reason = `Both runs have the same ${count(cases.length, 'case')}.`;
    return { gate, outcome: 'passed', bound: 0, measured, reason };
  }
  const base = `run ${runNumber}`;
  const named = leftOutSentences({ left, right, ungraded: [] }, cases, base);
  const reason = `The runs differ in their cases. ${named.join(' ')}`;
  return { gate, outcome: 'failed', bound: 0, measured, reason };
}

function unlike({ cases, evaluationConfigChanged }: BaselineAtGate): string | undefined {
  const changed = cases.find(({ configChanged }) => configChanged);
  if (changed !== undefined) {
    return `The case "${changed.title}" has been changed, so the rates cannot show a drop.`;
  }
  return evaluationConfigChanged
    ? 'The runs were scored in different ways, so their rates cannot show a drop.'
    : undefined;
}

/** Returns a reason as text if there are no counts. */
function countTrials({ status, summary, verdictSummary }: RunAtGate): PassCount | string {
  if (status !== 'completed') return 'The run is not completed.';
  const { total = 0, passed, failed } = summary ?? {};
  if (total === 0 || passed === undefined || failed === undefined) {
    return 'The run recorded no count of its trials.';
  }
  const open = total - passed - failed;
  if (open > 0) return `${count(open, 'trial')} of ${total} ended without a result.`;
  if (verdictSummary?.validity.holds === false) return 'Too little was measured for a verdict.';
  return { passed, trials: total };
}

function passedOf({ passed, trials }: PassCount): string {
  return `${passed} of ${count(trials, 'trial')} passed (${percent(passed / trials)})`;
}
