import type { DecisionSummary, Stage, StageReason } from '@proofmark/domain';
import { nextForRun } from './about-run.ts';
import { verdictSentence } from './verdict-sentence.ts';
import { plainSentence } from './write-text.ts';

export interface RunSentence {
  readonly sentence: string;
  /**
   * The next action if the run was not decided; null otherwise, because failing trials have their
   * own next actions.
   */
  readonly next: string | null;
  readonly first: {
    readonly trialId: string;
    readonly title: string | null;
    readonly status: string;
    readonly stage: Stage | null;
    readonly reason: StageReason | null;
  } | null;
}

export function runSentence(summary: DecisionSummary): RunSentence {
  const { items } = summary.diagnostics;
  const first = items.find(({ result }) => result === 'failed') ?? items[0];
  const next = nextForRun(summary);
  return {
    sentence: plainSentence(verdictSentence(summary), false),
    next: next === undefined ? null : plainSentence(next, false),
    first: first === undefined ? null : describeTrial(first),
  };
}

function describeTrial(
  trial: DecisionSummary['diagnostics']['items'][number],
): NonNullable<RunSentence['first']> {
  const { chain, iterationId, title, status } = trial;
  const failed =
    chain.status === 'verified'
      ? chain.stages.find(({ stage }) => stage === chain.firstFailedStage)
      : undefined;
  return {
    trialId: iterationId,
    title: title ?? null,
    status,
    stage: failed?.stage ?? null,
    reason: failed?.reason ?? null,
  };
}
