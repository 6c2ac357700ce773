/** What a run would play, cut to what was recorded of the run that it plays again. */
import { modelAskedBy, type PlannedRun, planTrials, repeatAsRecorded } from '@proofmark/domain';
import type { ResolvedReplay } from './resolve-replay.ts';

export function asRecorded(
  planned: PlannedRun,
  { terms, toPlay }: Pick<ResolvedReplay, 'terms' | 'toPlay'>,
  { iterationOverride }: { readonly iterationOverride?: number | undefined },
): PlannedRun {
  const cases = repeatAsRecorded(planned.plan.cases, toPlay, terms.model, iterationOverride);
  const plan = { ...planned.plan, cases, replay: terms, ...judgeOf(planned.plan, terms) };
  return { ...planned, plan, trialCount: planTrials(plan).length };
}

/** Whether a model may be asked: by itself, or where a trial goes on live. */
export function asksLiveModel({ terms }: Pick<ResolvedReplay, 'terms'>): boolean {
  return modelAskedBy(terms) !== 'never';
}

/** Conversations that are all recorded were judged when they were: a judge reads them again only when asked to. */
function judgeOf(
  { judge }: PlannedRun['plan'],
  terms: ResolvedReplay['terms'],
): Pick<PlannedRun['plan'], 'judge'> {
  return judge && !asksLiveModel({ terms }) ? { judge: { ...judge, autoRun: false } } : {};
}
