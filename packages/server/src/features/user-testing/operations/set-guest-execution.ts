import { guestExecutionWords, replaceGuestExecution } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { storeScenario } from '../store/scenarios.ts';
import { findScenario } from './find-scenario.ts';

export const setGuestExecution: Action<'setGuestExecution'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const current = await findScenario(sql, projectId, params.scenarioId, 'forUpdate');
    const guestExecution = replaceGuestExecution(body);
    await storeScenario(sql, { ...current, guestExecution });
    await recordAudit(sql, context, {
      action: 'scenario.guestExecutionSet',
      subjectId: current.id,
      details: { state: guestExecutionWords(guestExecution) },
    });
    return {
      ...guestExecution,
      id: current.id,
      projectId,
      guestExecution,
      effective: { computer: false, harness: false },
    };
  });
