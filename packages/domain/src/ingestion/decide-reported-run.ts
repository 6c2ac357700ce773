/**
 * Ends a reported run (run elsewhere and uploaded): counts its trials and decides it.
 *
 * - Fewer trials than announced leave a run undecided, because the missing trials may have failed.
 * - Under verdict policy v2, the larger of the declared and the reported number of trials counts. A
 *   declared trial that was not reported counts as not finished.
 * - If a case ran on several models, the decision has one row for each model. The run is refused if
 *   one of the case's trials has no model.
 * - Rows are sorted by id, so the order of batches does not matter.
 * - A report too large for a decision is stored as a legacy run, whose trials are only counted.
 */
import { decisionCaseId, identityProblem, saysTooManyCases } from '../verdict/case-identity.ts';
import type { CaseTally } from '../verdict/case-tally.ts';
import { type CaseTitles, caseNameInText, caseTitles } from '../verdict/case-titles.ts';
import { classifyTrial } from '../verdict/classify-trial.ts';
import { decideTallies, type RunDecision, verdictOfTallies } from '../verdict/decide-run.ts';
import {
  type Decision,
  maxConfiguredTrials,
  maxPlannedTrials,
  type TaskVerdict,
  type ValidityPolicy,
} from '../verdict/decision.ts';
import { sumExclusions } from '../verdict/rate.ts';
import type { AlikeTrials } from './alike-trials.ts';
import { type DeclaredTrials, declaredCase } from './declared-trials.ts';
import type { RunTerms } from './run-terms.ts';
import { allSkipped, shareWithSkipped, trialsWithSkipped } from './skipped-trials.ts';

export interface RunEnd {
  readonly counts: { readonly total: number; readonly passed: number; readonly failed: number };
  readonly result: TaskVerdict | null;
  readonly decision?: Decision;
  readonly caseTitles?: CaseTitles;
  readonly integrityError?: string;
  /** Set if the run has more trials or cases than a decision can contain. */
  readonly isLegacy?: true;
}

export function decideReportedRun(
  terms: RunTerms,
  trials: readonly AlikeTrials[],
  expectedTrials: number | null,
  sha256Hex: (text: string) => string,
  declared?: DeclaredTrials,
): RunEnd {
  const counts = countTrials(trials);
  if (expectedTrials !== null && counts.total < expectedTrials) {
    const integrityError = `Only ${counts.total} of the ${expectedTrials} expected iterations were reported.`;
    return { counts, result: null, integrityError };
  }
  if ('minimumPassRate' in terms) {
    return { counts, ...shareWithSkipped(counts, trials, terms.minimumPassRate, terms.skipped) };
  }
  const titles = caseTitles(trials, sha256Hex);
  const nameOf = (caseId: string) => caseNameInText(caseId, titles);
  const played = trialsWithSkipped(trials, terms.skipped);
  const decided = decide(terms, played, sha256Hex, declared, nameOf);
  if ('verdict' in decided) return { counts, result: decided.verdict, isLegacy: true };
  if ('integrityError' in decided) return { counts, result: null, ...decided };
  const { verdict } = decided.decision;
  return {
    counts,
    result: verdict === 'inconclusive' ? null : verdict,
    ...decided,
    ...(Object.keys(titles).length > 0 && { caseTitles: titles }),
  };
}

export function countTrials(
  trials: readonly Pick<AlikeTrials, 'result' | 'count'>[],
): RunEnd['counts'] {
  return {
    total: countOf(trials, () => true),
    passed: countOf(trials, ({ result }) => result === 'passed'),
    failed: countOf(trials, ({ result }) => result === 'failed'),
  };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: what is checked, and in which order, decides the verdict; the rule is read from top to bottom.
function decide(
  terms: Extract<RunTerms, { policy: unknown }>,
  { counted: trials, ignored }: ReturnType<typeof trialsWithSkipped>,
  sha256Hex: (text: string) => string,
  declared: DeclaredTrials | undefined,
  nameOf: (caseId: string) => string,
): RunDecision | { readonly verdict: TaskVerdict } {
  if (trials.length === 0) {
    return { integrityError: ignored.length > 0 ? allSkipped : 'No iteration was reported.' };
  }
  const fansOut = isFannedOut(trials);
  if (fansOut && trials.some(({ model }) => model === null)) {
    return {
      integrityError:
        'The run used several models, but some of its trials name no model; report the model of every trial.',
    };
  }
  const rows = new Map<string, Row>();
  for (const trial of trials) {
    const caseId = decisionCaseId(trial, sha256Hex);
    const executionVariant = fansOut ? variantOf(trial) : undefined;
    const variant = JSON.stringify(executionVariant ?? null);
    // The key contains the case's own key: two cases with the same derived id stay separate rows,
    // so that the collision is found and refused.
    const key = JSON.stringify([trial.caseKey, variant]);
    const { repetitions, passThreshold, isPlanned } = declaredCase(declared, trial.caseKey);
    const row = rows.get(key) ?? {
      caseId,
      variant,
      repetitions,
      most: isPlanned ? maxPlannedTrials : maxConfiguredTrials,
      problems: [],
      tally: openTally(caseId, executionVariant, passThreshold ?? terms.passThreshold),
    };
    rows.set(key, row);
    const problem = addTrials(row.tally, trial);
    if (problem !== undefined) row.problems.push(problem);
  }
  for (const trial of ignored) {
    const variant = JSON.stringify((fansOut ? variantOf(trial) : undefined) ?? null);
    const row = rows.get(JSON.stringify([trial.caseKey, variant]));
    if (row !== undefined) row.repetitions -= trial.count;
  }
  const ordered = [...rows.values()].sort(
    (one, other) => compare(one.caseId, other.caseId) || compare(one.variant, other.variant),
  );
  for (const { caseId, problems } of ordered) {
    const [problem] = problems.sort(compare);
    if (problem !== undefined) {
      return { integrityError: `The case ${nameOf(caseId)} cannot be decided: ${problem}.` };
    }
  }
  const tallies = ordered.map(({ tally, repetitions }) => withUnreported(tally, repetitions));
  const problem = identityProblem(tallies, nameOf);
  if (problem !== undefined) {
    return saysTooManyCases(problem)
      ? withoutDecision(terms.policy, tallies, problem)
      : { integrityError: problem };
  }
  const tooMany = tallies.findIndex(
    ({ configuredTrials }, index) => configuredTrials > (ordered[index]?.most ?? 0),
  );
  if (tooMany >= 0) {
    const { caseId, configuredTrials } = tallies[tooMany] as CaseTally;
    const problem = `A case can be decided by at most ${ordered[tooMany]?.most} trials, but ${nameOf(caseId)} has ${configuredTrials}.`;
    return withoutDecision(terms.policy, tallies, problem);
  }
  return decideTallies(terms.policy, tallies, nameOf);
}

/**
 * Returns a verdict for a run that is too large for a decision. Such a legacy run cannot store
 * "inconclusive", so with too few measurements it stays undecided.
 */
function withoutDecision(
  policy: ValidityPolicy,
  tallies: readonly CaseTally[],
  tooLarge: string,
): RunDecision | { readonly verdict: TaskVerdict } {
  const verdict = verdictOfTallies(policy, tallies);
  return verdict === 'inconclusive'
    ? {
        integrityError: `${tooLarge} A simpler verdict was not possible either, because too little was measured.`,
      }
    : { verdict };
}

interface Row {
  readonly tally: OpenTally;
  readonly caseId: string;
  readonly variant: string;
  /** The number of declared trials, minus those that were skipped and ignored. */
  repetitions: number;
  readonly most: number;
  readonly problems: string[];
}

type OpenTally = { -readonly [Key in keyof CaseTally]: CaseTally[Key] };

function openTally(
  caseId: string,
  executionVariant: CaseTally['executionVariant'],
  effectivePassThreshold: number,
): OpenTally {
  return {
    caseId,
    effectivePassThreshold,
    configuredTrials: 0,
    ...(executionVariant !== undefined && { executionVariant }),
    passedTrials: 0,
    failedTrials: 0,
    runningTrials: 0,
    exclusions: {},
  };
}

function withUnreported(tally: CaseTally, repetitions: number): CaseTally {
  const unreported = repetitions - tally.configuredTrials;
  if (unreported <= 0) return tally;
  const exclusions = sumExclusions([tally.exclusions, { notTerminal: unreported }]);
  return { ...tally, configuredTrials: repetitions, exclusions };
}

function addTrials(tally: OpenTally, trial: AlikeTrials): string | undefined {
  const { status, result, evaluatorError, count } = trial;
  const found = classifyTrial({ status, taskVerdict: result ?? undefined, evaluatorError });
  if ('problem' in found) return found.problem;
  tally.configuredTrials += count;
  if ('graded' in found) {
    if (found.graded === 'passed') tally.passedTrials += count;
    else tally.failedTrials += count;
  } else {
    tally.exclusions = sumExclusions([tally.exclusions, { [found.excluded]: count }]);
    if (status === 'running') tally.runningTrials += count;
  }
  return undefined;
}

function isFannedOut(trials: readonly AlikeTrials[]): boolean {
  const first = new Map<string, string>();
  return trials.some((trial) => {
    if (trial.model === null) return false;
    const variant = JSON.stringify(variantOf(trial));
    const seen = first.get(trial.caseKey) ?? variant;
    first.set(trial.caseKey, seen);
    return seen !== variant;
  });
}

function variantOf({ model, provider }: AlikeTrials) {
  return { model: model ?? '', ...(provider !== null && { provider }) };
}

function countOf<Trial extends { readonly count: number }>(
  trials: readonly Trial[],
  isOne: (trial: Trial) => boolean,
): number {
  return trials.reduce((sum, trial) => sum + (isOne(trial) ? trial.count : 0), 0);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
