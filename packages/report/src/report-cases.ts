/**
 * The case variants of a decided run for reports: name, result and trials that did not pass. A
 * trial is assigned to the case with its case id, or else to the only case with its title, but
 * never to a variant with another model. A trial without such a match is assigned to no variant.
 */
import {
  type CarriedOutPlan,
  type CaseTitles,
  count,
  type DecisionCase,
  type DecisionDiagnostic,
  type DecisionSummary,
  exclusionReasons,
  exclusionWords,
  grouped,
  percent,
  type Sentence,
  say,
  theirs,
  wilsonInterval,
} from '@proofmark/domain';
import { caseNamer } from './case-name.ts';
import { endedTrials } from './ended-trials.ts';
import { planOfCase, planStopSentence, plansOf } from './plan-words.ts';
import type { TrialCalls } from './show-call.ts';

export const caseOutcomes = ['passed', 'failed', 'notMeasured', 'skipped'] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

export interface ReportCase {
  /** Includes the model if the run used several. */
  readonly name: Sentence;
  readonly outcome: CaseOutcome;
  readonly row: DecisionCase;
  readonly plan?: CarriedOutPlan | undefined;
  readonly trials: readonly DecisionDiagnostic[];
}

export interface KnownOfTrials {
  readonly caseTitles?: CaseTitles | undefined;
  readonly calls?: ReadonlyMap<string, TrialCalls> | undefined;
}

/** In the order of the decision; empty if the run was not decided by cases. */
export function reportCases(summary: DecisionSummary, known: KnownOfTrials = {}): ReportCase[] {
  if (summary.verdictSource !== 'policyV2') return [];
  const { cases } = summary.decision;
  const nameOf = caseNamer(cases, known.caseTitles);
  const ofCase = placeTrials(summary, cases, known);
  return cases.map((row) => ({
    name: say`${nameOf(row.caseId)}${variantName(row)}`,
    outcome: outcomeOfCase(row),
    row,
    plan: planOfCase(row, plansOf(summary)),
    trials: ofCase.get(row) ?? [],
  }));
}

function outcomeOfCase({ verdict, passRate }: DecisionCase): CaseOutcome {
  if (verdict !== 'inconclusive') return verdict;
  const excluded = exclusionReasons.filter((reason) => (passRate.exclusions[reason] ?? 0) > 0);
  return excluded.length > 0 && excluded.every((reason) => reason === 'skipped')
    ? 'skipped'
    : 'notMeasured';
}

export function variantName({ executionVariant }: DecisionCase): Sentence {
  if (executionVariant === undefined) return [];
  const { model, provider } = executionVariant;
  return say` on ${theirs(model)}${provider === undefined ? '' : say` (${theirs(provider)})`}`;
}

/**
 * Returns how many graded trials of a case variant passed; several trials also get the rate and its
 * interval. A trial plan stops depending on the results, which would make the interval invalid. For
 * a planned case, the reason for its stop is shown instead.
 */
export function measuredOfCase({ row, plan }: Pick<ReportCase, 'row' | 'plan'>): string {
  const passed = `${grouped(row.passedTrials)} of ${count(row.eligibleTrials, 'graded trial')} passed`;
  if (row.eligibleTrials === 1) return passed;
  const rate = row.passRate.value === null ? 'not measured' : percent(row.passRate.value);
  return `${passed} (${[rate, ...intervalOfCase({ row, plan })].join(', ')})`;
}

/** Empty for a single trial, because its interval would be meaningless. */
export function intervalOfCase({ row, plan }: Pick<ReportCase, 'row' | 'plan'>): string[] {
  if (plan !== undefined) return [planStopSentence(plan)];
  if (row.eligibleTrials < 2) return [];
  const interval = wilsonInterval(row.passedTrials, row.eligibleTrials);
  return interval === null
    ? []
    : [`95 % interval ${percent(interval.lower)} to ${percent(interval.upper)}`];
}

export function thresholdOfCase({ effectivePassThreshold }: DecisionCase): string {
  return `${percent(effectivePassThreshold)} of them must pass`;
}

export function whyUnmeasured({ passRate }: DecisionCase): string {
  const parts = exclusionReasons.flatMap((reason) => {
    const amount = passRate.exclusions[reason] ?? 0;
    return amount > 0 ? [`${count(amount, 'trial')} ${exclusionWords[reason]}`] : [];
  });
  return parts.length === 0 ? 'no trial was graded' : `no trial was graded: ${parts.join(', ')}`;
}

function placeTrials(
  summary: DecisionSummary,
  cases: readonly DecisionCase[],
  { caseTitles, calls }: KnownOfTrials,
): Map<DecisionCase, DecisionDiagnostic[]> {
  const placed = new Map<DecisionCase, DecisionDiagnostic[]>();
  for (const trial of endedTrials(summary)) {
    const row = rowOf(trial, calls?.get(trial.iterationId), cases, caseTitles);
    if (row !== undefined) placed.set(row, [...(placed.get(row) ?? []), trial]);
  }
  return placed;
}

export interface TimedTrial extends RanOn {
  readonly caseId?: string | undefined;
  readonly title: string | null;
  readonly durationMs: number | null;
}

export function timesOfCases(
  summary: DecisionSummary,
  trials: readonly TimedTrial[],
  titles: CaseTitles | undefined,
): ReadonlyMap<DecisionCase, number> {
  const times = new Map<DecisionCase, number>();
  if (summary.verdictSource !== 'policyV2') return times;
  for (const trial of trials) {
    const title = trial.title ?? undefined;
    const row = rowOf({ ...trial, title }, trial, summary.decision.cases, titles);
    if (row !== undefined) times.set(row, (times.get(row) ?? 0) + (trial.durationMs ?? 0));
  }
  return times;
}

/** Returns undefined if the trial could belong to several case variants. */
function rowOf(
  trial: Named,
  ran: RanOn | undefined,
  cases: readonly DecisionCase[],
  titles: CaseTitles | undefined,
): DecisionCase | undefined {
  const [row, another] = rowsOf(trial, cases, titles).filter((one) => ranOn(one, ran));
  return another === undefined ? row : undefined;
}

type RanOn = Pick<TrialCalls, 'model' | 'provider'>;
interface Named {
  readonly caseId?: string | undefined;
  readonly title?: string | undefined;
}

function rowsOf(
  { caseId, title }: Named,
  cases: readonly DecisionCase[],
  titles: CaseTitles | undefined,
): DecisionCase[] {
  const byId = cases.filter((row) => row.caseId === caseId);
  if (byId.length > 0 || title === undefined || titles === undefined) return byId;
  const byTitle = cases.filter(
    (row) => Object.hasOwn(titles, row.caseId) && titles[row.caseId] === title,
  );
  return new Set(byTitle.map((row) => row.caseId)).size === 1 ? byTitle : [];
}

function ranOn({ executionVariant }: DecisionCase, trial: RanOn | undefined): boolean {
  if (executionVariant === undefined) return true;
  const { model, provider } = executionVariant;
  if (trial?.model !== model) return false;
  return provider === undefined || (trial.provider ?? provider) === provider;
}
