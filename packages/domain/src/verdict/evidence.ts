/**
 * Locates the evidence of a failure: the pointers stored with the first failed stage. If the stage
 * results are not verified or no stage failed, the locator names no stage.
 */
import * as z from 'zod';
import type { DecisionChain } from '../chain/read-chain.ts';
import { stages } from '../chain/vocabulary.ts';
import { tracePath } from './trace-path.ts';

export const DecisionEvidence = z
  .strictObject({
    runId: z.string(),
    iterationId: z.string(),
    stage: z.enum(stages).exactOptional(),
    spanIds: z.array(z.string()).min(1).exactOptional(),
    promptIndexes: z.array(z.int().min(0)).min(1).exactOptional(),
    reasons: z.array(z.string()).min(1).exactOptional(),
    tracePath: z.string().meta({
      description: 'The path of the trace, to be appended to the base address.',
    }),
  })
  .meta({ id: 'EvalRunDecisionEvidence' });
export type DecisionEvidence = z.infer<typeof DecisionEvidence>;

export function locateEvidence(
  trial: { readonly projectId: string; readonly runId: string; readonly iterationId: string },
  chain: DecisionChain,
): DecisionEvidence {
  const { projectId, runId, iterationId } = trial;
  return {
    runId,
    iterationId,
    ...(chain.status === 'verified' && failedStageEvidence(chain)),
    tracePath: tracePath(projectId, runId, iterationId),
  };
}

function failedStageEvidence(chain: Extract<DecisionChain, { status: 'verified' }>) {
  const row = chain.stages.find(({ stage }) => stage === chain.firstFailedStage);
  if (row === undefined) return {};
  const spanIds = distinct(row.evidence?.spanIds);
  const promptIndexes = distinct(row.evidence?.promptIndexes);
  const reasons = distinct(row.evidence?.predicateReasons);
  return {
    stage: row.stage,
    ...(spanIds.length > 0 && { spanIds }),
    ...(promptIndexes.length > 0 && { promptIndexes }),
    ...(reasons.length > 0 && { reasons }),
  };
}

function distinct<Item>(items: readonly Item[] | undefined): Item[] {
  return [...new Set(items)];
}
