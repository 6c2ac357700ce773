import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { PreparedJson } from '../../../../platform/operations/answer-cache.ts';
import { KeptOpening, readSummaryPage } from './read-decision-summary.ts';

/**
 * A page is cached by the run's revision, the epoch, the requested position and the caller, because
 * cursors belong to a caller. The part that all pages share, mainly the decision, is built once per
 * revision.
 */
export const getEvalRunDecisionSummary: Action<'getEvalRunDecisionSummary'> = async (
  context,
  input,
) => {
  const { caller, runRevision, epoch, answerCache } = context;
  const { runId } = input.params;
  const { limit, after } = input.page;
  if (runRevision === undefined) return refuse(notFound);
  const openingAt = (at: number) => `${epoch} ${runId} ${at}`;
  const pageAt = (at: number) =>
    `${openingAt(at)} ${limit} ${after?.order ?? ''} ${caller.account.id} ${caller.organizationIds}`;
  const kept = answerCache.find(pageAt(runRevision), PreparedJson);
  if (kept !== undefined) return kept;
  const keptOpening = answerCache.find(openingAt(runRevision), KeptOpening);
  const { opening, text } = await context.tenant((sql) =>
    readSummaryPage(sql, { projectId: context.project.id, runId }, input, keptOpening),
  );
  const page = new PreparedJson(text);
  answerCache.keep(openingAt(opening.revision), opening);
  answerCache.keep(pageAt(opening.revision), page);
  return page;
};
