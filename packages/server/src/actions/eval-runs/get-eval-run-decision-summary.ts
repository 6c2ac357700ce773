import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../action.ts';
import { PreparedJson } from '../answer-cache.ts';
import { readDecisionSummary } from './read-decision-summary.ts';

/**
 * A page depends on the run and its trials, which are the same as long as the run's revision is, and on who reads
 * it, because its cursor is theirs.
 */
export const getEvalRunDecisionSummary: Action<'getEvalRunDecisionSummary'> = async (
  context,
  input,
) => {
  const { caller, runRevision, answerCache } = context;
  const { runId } = input.params;
  const { limit, after } = input.page;
  if (runRevision === undefined) return refuse(notFound);
  const nameAt = (at: number) =>
    `${runId} ${at} ${limit} ${after?.order ?? ''} ${caller.account.id} ${caller.organizationIds}`;
  const kept = answerCache.find(nameAt(runRevision));
  if (kept !== undefined) return kept;
  const read = await context.tenant((sql) =>
    readDecisionSummary(sql, { projectId: context.project.id, runId }, input),
  );
  const reading = new PreparedJson(read.summary);
  answerCache.keep(nameAt(read.revision), reading);
  return reading;
};
