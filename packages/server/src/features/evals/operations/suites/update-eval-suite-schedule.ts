import { editSchedule } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { storeSchedule } from '../../store/eval-suites.ts';
import { findSuite } from './find-suite.ts';
import { presentSuiteDetail } from './present-suite-detail.ts';

export const updateEvalSuiteSchedule: Action<'updateEvalSuiteSchedule'> = async (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId, 'forNoKeyUpdate');
    const decision = editSchedule(suite.schedule, body, suite.environmentIds);
    if ('refusal' in decision) return refuse(decision.refusal);
    const stored = await storeSchedule(sql, suite.id, decision.schedule);
    await recordAudit(sql, context, {
      action: 'evalSuite.scheduled',
      subjectId: suite.id,
      details: { fields: Object.keys(body) },
    });
    return presentSuiteDetail(sql, stored);
  });
