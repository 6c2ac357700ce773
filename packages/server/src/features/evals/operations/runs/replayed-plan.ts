/** Limits the plan of a run to the recordings of the run that it replays. */
import {
  modelAskedBy,
  type PlannedRun,
  planTrials,
  type ReplayTermsOfRun,
  repeatAsRecorded,
  type TrialToMatch,
} from '@proofmark/domain';

export interface ReplayToPlan {
  readonly terms: ReplayTermsOfRun;
  /** All recorded trials to play, including those whose recording cannot be played. */
  readonly recorded: readonly TrialToMatch[];
}

export function asRecorded(
  planned: PlannedRun,
  { terms, recorded }: ReplayToPlan,
  { iterationOverride }: { readonly iterationOverride?: number | undefined },
): PlannedRun {
  const cases = repeatAsRecorded(planned.plan.cases, recorded, terms.model, iterationOverride);
  const plan = { ...planned.plan, cases, replay: terms, ...judgeOf(planned.plan, terms) };
  return { ...planned, plan, trialCount: planTrials(plan).length };
}

/** Whether a model may be called: always, or only if a trial continues live. */
export function asksLiveModel({ terms }: Pick<ReplayToPlan, 'terms'>): boolean {
  return modelAskedBy(terms) !== 'never';
}

/**
 * Fully recorded conversations were judged when they were recorded. A judge reads them again only
 * on request.
 */
function judgeOf(
  { judge }: PlannedRun['plan'],
  terms: ReplayToPlan['terms'],
): Pick<PlannedRun['plan'], 'judge'> {
  return judge && !asksLiveModel({ terms }) ? { judge: { ...judge, autoRun: false } } : {};
}
