import { maxEnvironmentsOfSuite } from '@proofmark/contract';
import { editSuite, invalid } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { storeSuite } from '../../store/eval-suites.ts';
import { findSuite } from './find-suite.ts';
import { refuseDeadEnvironment } from './refuse-dead-environment.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

export const attachEvalSuiteEnvironment: Action<'attachEvalSuiteEnvironment'> = async (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { project } = context;
    const current = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    refuseUnreadable(current);
    await refuseDeadEnvironment(sql, project.id, body.environmentId, 'body.environmentId');
    const suiteId = current.id;
    if (current.environmentIds.includes(body.environmentId)) {
      return { suiteId, attached: false, environmentIds: [...current.environmentIds] };
    }
    const environmentIds = [...current.environmentIds, body.environmentId];
    if (environmentIds.length > maxEnvironmentsOfSuite) {
      const message = `A suite has at most ${maxEnvironmentsOfSuite} environments; detach one first.`;
      refuse(invalid('body.environmentId', message));
    }
    const decision = editSuite(current, { environmentIds });
    if ('refusal' in decision) return refuse(decision.refusal);
    const stored = await storeSuite(sql, decision.suite);
    await recordAudit(sql, context, {
      action: 'evalSuite.updated',
      subjectId: suiteId,
      details: { fields: ['environmentIds'] },
    });
    return { suiteId, attached: true, environmentIds: [...stored.environmentIds] };
  });
