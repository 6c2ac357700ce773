import { caseOfVisit, notFound, visitorNameOf } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { makeOnce } from '../../../platform/operations/keyed-answers.ts';
import { addEvalCase } from '../../evals/index.ts';
import { findVisit, readVisitorWords } from '../store/read-visits.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';

export const createEvalCaseFromVisit: Action<'createEvalCaseFromVisit', UserTestingParts> = (
  context,
  { params, body, idempotencyKey: key },
) => {
  const { scenarioId, sessionId } = params;
  const operation = `createEvalCaseFromVisit ${scenarioId}/${sessionId}`;
  return makeOnce(context, { operation, key, body }, async (sql) => {
    const scenario = await findScenario(sql, context.project.id, scenarioId);
    const visit = await findVisit(sql, scenario.id, sessionId);
    if (visit === undefined) return refuse(notFound);
    const definition = caseOfVisit({
      scenarioName: scenario.name,
      visitorName: visitorNameOf({ name: visit.displayName, hash: visit.visitorHash }),
      modelId: visit.modelId,
      prompts: await readVisitorWords(sql, visit.id),
      title: body.title,
    });
    if (definition === undefined) return refuse(emptyConversation);
    return addEvalCase(sql, context, body.suiteId, definition, 'body.suiteId');
  });
};

const emptyConversation = {
  code: 'CONFLICT',
  message: 'The messages of this session are not stored, so it cannot become a case.',
  details: { reason: 'TRANSCRIPT_NOT_AVAILABLE' },
} as const;
