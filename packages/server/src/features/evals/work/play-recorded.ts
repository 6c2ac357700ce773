import {
  authoredFacts,
  type PlannedTrial,
  type ReplayState,
  type RunPlan,
  readIgnore,
} from '@proofmark/domain';
import type { OpenedRecordingOfTrial } from '../../../conversation/recordings/opened-recording.ts';
import { replayedDependencies } from '../../../conversation/recordings/replayed-dependencies.ts';
import { TrialReplay } from '../../../conversation/recordings/trial-replay.ts';
import { runTrial } from '../../../conversation/run-trial.ts';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import type { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { TrialToWrite } from '../store/record-trials.ts';

export interface ReplayedTrial {
  readonly record: TrialRecord;
  readonly part: Pick<TrialToWrite, 'divergence' | 'replayState'>;
}

export async function playRecorded(
  { plan, secrets }: { readonly plan: RunPlan; readonly secrets: TraceSecrets },
  replay: NonNullable<RunPlan['replay']>,
  trial: PlannedTrial,
  opened: OpenedRecordingOfTrial,
  dependencies: TrialDependencies,
  signal: AbortSignal,
): Promise<ReplayedTrial> {
  const planned = plan.cases[trial.caseIndex];
  if (planned === undefined)
    throw new Error('Internal fault: the plan of the run does not contain this trial.');
  const terms = {
    model: replay.model,
    servers: replay.servers,
    onDivergence: replay.onDivergence,
    ignore: readIgnore(plan.replayIgnore),
    asksModel: authoredFacts(planned).hasPrompt,
  };
  const played = new TrialReplay(opened, terms, plan.servers, () => secrets.forms);
  const { after: _, ...others } = dependencies;
  // Recorded calls change nothing, so there is nothing to clean up.
  const own = replay.servers === 'recorded' ? others : dependencies;
  const record = await runTrial(replayedDependencies(played, own), plan, trial, signal);
  const { divergence, isContinuedLive } = played;
  const replayState: ReplayState =
    divergence === undefined ? 'played' : isContinuedLive ? 'continuedLive' : 'diverged';
  const isRecorded = replay.model === 'recorded' && replayState === 'played';
  const trialMs = opened.durations?.trialMs;
  return {
    record: isRecorded && trialMs !== undefined ? { ...record, durationMs: trialMs } : record,
    part: { replayState, ...(divergence && { divergence }) },
  };
}
