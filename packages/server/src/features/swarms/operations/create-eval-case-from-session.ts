import { caseOfSession, notFound, notKept, refuseCaseOf } from '@proofmark/domain';
import { type Action, refuse, refuseIf } from '../../../platform/operations/action.ts';
import { makeOnce } from '../../../platform/operations/keyed-answers.ts';
import { addEvalCase, type EvalsParts } from '../../evals/index.ts';
import { readSessionPrompts, readSessionToKeep } from '../store/graded-sessions.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';

export const createEvalCaseFromSession: Action<'createEvalCaseFromSession', EvalsParts> = (
  context,
  { params, body, idempotencyKey: key },
) => {
  const { runId, sessionId } = params;
  const operation = `createEvalCaseFromSession ${runId}/${sessionId}`;
  return makeOnce(context, { operation, key, body }, async (sql) => {
    const place = { projectId: context.project.id, runId, sessionId };
    const session = await readSessionToKeep(sql, place);
    if (session === undefined) return refuse(notFound);
    const snapshot = await findJourneySnapshot(sql, runId);
    const prompts = await readSessionPrompts(sql, sessionId);
    const { evidence } = session;
    const { suiteId, ...rest } = body;
    if (!(snapshot && evidence && prompts)) return refuse(notKept);
    const toKeep = { ...session, snapshot, evidence, prompts, ...rest };
    refuseIf(refuseCaseOf(toKeep));
    return addEvalCase(sql, context, suiteId, caseOfSession(toKeep), 'body.declaredId');
  });
};
