/**
 * The gate for a run with bounds that the caller gives: the share of passed trials, and whether the
 * run is worse than a baseline beyond noise. The bounds replace the run's own thresholds for its
 * cases, but not its validity rules: a run with missing or too few measurements cannot pass. A drop
 * counts only if the whole confidence interval of the difference is below zero. With fewer than
 * five trials in either run, no drop can be told from chance, so a lower rate leaves the gate
 * without an answer.
 */
import type { CaseChange } from '../suites/compare-cases.ts';
import { count, percent } from '../words/sentence.ts';
import { compareRates } from './compare-runs.ts';
import type { GateResult } from './gate-result.ts';
import type { PassCount } from './measures.ts';
import { rateDifference } from './newcombe-interval.ts';

export interface RunAtGate {
  readonly status: string;
  /** The counts of the recorded trials; null until the run has ended. */
  readonly summary: {
    readonly total?: number | undefined;
    readonly passed?: number | undefined;
    readonly failed?: number | undefined;
  } | null;
  /** The summary of the run's decision, if it has one. */
  readonly verdictSummary?: { readonly validity: { readonly holds: boolean } } | null | undefined;
}

export interface CaseAtGate {
  readonly title: string;
  readonly status: CaseChange;
  /** Whether the case has changed since the baseline. */
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
  /** Whether the definitions of scorers have changed since the baseline. */
  readonly evaluationConfigChanged: boolean;
}

export interface RunGateAsked {
  readonly minPassRate?: number | undefined;
  readonly baseline?: BaselineAtGate | undefined;
}

export interface RunGate {
  readonly outcome: 'passed' | 'failed' | 'incomplete';
  readonly gates: readonly GateResult[];
}

export function gateRun(run: RunAtGate, { minPassRate, baseline }: RunGateAsked): RunGate {
  const gates = [
    ...(minPassRate === undefined ? [] : [judgePassRate(run, minPassRate)]),
    ...(baseline === undefined ? [] : [judgeDrop(run, baseline)]),
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
  if (typeof before === 'string') return withheld(`Of run ${baseline.runNumber}: ${before}`);
  const differ = unlike(baseline);
  if (differ !== undefined) return withheld(differ);
  const compared = compareRates(before, now);
  const beside = `${passedOf(now)}, in run ${baseline.runNumber} ${before.passed} of ${before.trials}`;
  const measured = rateDifference(before, now);
  if (compared.outcome === 'insufficient') {
    const few = 'too few trials to tell a drop from chance; five on each side are needed';
    return measured < 0
      ? { ...withheld(`${beside}; ${few}.`), measured }
      : { gate, outcome: 'passed', measured, reason: `${beside}, which is no drop; ${few}.` };
  }
  const interval = `95 % interval of the difference ${percent(compared.lower)} to ${percent(compared.upper)}`;
  if (compared.outcome === 'regression') {
    const reason = `${beside}; a drop outside the noise, ${interval}.`;
    return { gate, outcome: 'failed', measured, reason };
  }
  const word = measured < 0 ? 'a drop within the noise' : 'no drop';
  return { gate, outcome: 'passed', measured, reason: `${beside}; ${word}, ${interval}.` };
}

/**
 * Returns the reason why the runs cannot be compared as a whole: they must have run the same cases
 * equally often, graded in the same way.
 */
function unlike({ cases, evaluationConfigChanged }: BaselineAtGate): string | undefined {
  if (cases.some(({ status }) => status === 'new_case' || status === 'removed_case')) {
    return 'The runs differ in their cases, so their rates cannot show a drop.';
  }
  const changed = cases.find(({ configChanged }) => configChanged);
  if (changed !== undefined) {
    return `The case "${changed.title}" has been changed, so the rates cannot show a drop.`;
  }
  if (evaluationConfigChanged) {
    return 'The runs were scored in different ways, so their rates cannot show a drop.';
  }
  return cases.every(({ base, compare }) => base.eligibleTrials === compare.eligibleTrials)
    ? undefined
    : 'The runs differ in how often a case ran, so their rates cannot show a drop.';
}

/** Returns the counts of trials, or the reason why there are none. */
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
