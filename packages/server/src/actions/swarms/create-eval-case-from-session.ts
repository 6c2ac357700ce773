/** Makes a session a case of a suite, with the words that were said in it. */
import { caseOfSession, notFound, notKept, refuseCaseOf } from '@proofmark/domain';
import { readSessionPrompts, readSessionToKeep } from '../../storage/swarms/graded-sessions.ts';
import { findJourneySnapshot } from '../../storage/swarms/journey-snapshots.ts';
import { type Action, refuse, refuseIf } from '../action.ts';
import { addEvalCase } from '../eval-suites/create-eval-case.ts';
import { makeOnce } from '../keyed-answers.ts';

export const createEvalCaseFromSession: Action<'createEvalCaseFromSession'> = (
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
    const { suiteId, ...said } = body;
    if (!(snapshot && evidence && prompts)) return refuse(notKept);
    const toKeep = { ...session, snapshot, evidence, prompts, ...said };
    refuseIf(refuseCaseOf(toKeep));
    return addEvalCase(sql, context, suiteId, caseOfSession(toKeep), 'body.declaredId');
  });
};
