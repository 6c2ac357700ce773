/** Makes a session a case of a suite, with the words that were said in it. */
import { caseOfSession, notFound } from '@proofmark/domain';
import { readSessionMessages, readSessionToKeep } from '../../storage/swarms/graded-sessions.ts';
import { findJourneySnapshot } from '../../storage/swarms/journey-snapshots.ts';
import { type Action, refuse } from '../action.ts';
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
    const messages = await readSessionMessages(sql, sessionId);
    const { evidence } = session;
    const { suiteId, ...said } = body;
    const definition =
      snapshot && evidence && messages
        ? caseOfSession({ ...session, snapshot, evidence, messages, ...said })
        : undefined;
    if (definition === undefined) return refuse(notKept);
    return addEvalCase(sql, context, suiteId, definition, 'body.declaredId');
  });
};

const notKept = {
  code: 'CONFLICT',
  message: 'What was said in this session is not kept, so no case can be made of it.',
  details: { reason: 'TRACE_NOT_AVAILABLE' },
} as const;
