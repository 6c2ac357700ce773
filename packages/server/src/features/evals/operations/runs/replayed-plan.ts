/** What a run would play, cut to what was recorded of the run that it plays again. */
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
  /** What there is to play, also where its recording cannot be played. */
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

/** Whether a model may be asked: by itself, or where a trial goes on live. */
export function asksLiveModel({ terms }: Pick<ReplayToPlan, 'terms'>): boolean {
  return modelAskedBy(terms) !== 'never';
}

/** Conversations that are all recorded were judged when they were: a judge reads them again only when asked to. */
function judgeOf(
  { judge }: PlannedRun['plan'],
  terms: ReplayToPlan['terms'],
): Pick<PlannedRun['plan'], 'judge'> {
  return judge && !asksLiveModel({ terms }) ? { judge: { ...judge, autoRun: false } } : {};
}
