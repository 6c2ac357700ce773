import type { Refusal } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { findEnvironment } from '../../environments/index.ts';
import { holdScenariosOfProject, readScenarioOf, storeScenario } from '../store/scenarios.ts';
import { findScenario } from './find-scenario.ts';
import { presentPublished } from './present-scenario.ts';
import { resolveForVisitors } from './resolve-for-visitors.ts';

export const rebindScenario: Action<'rebindScenario'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const current = await findScenario(sql, projectId, params.scenarioId, 'forUpdate');
    const environment = await findEnvironment(sql, projectId, body.environmentId, 'forShare');
    if (environment.id === current.environmentId) {
      return { ...presentPublished(context, current), projectId };
    }
    const outcome = await resolveForVisitors(sql, environment);
    if ('refusal' in outcome) refuse(outcome.refusal);
    await holdScenariosOfProject(sql, projectId);
    if (await readScenarioOf(sql, projectId, environment.id)) refuse(publishedByAnother);
    const stored = await storeScenario(sql, { ...current, environmentId: environment.id });
    await recordAudit(sql, context, {
      action: 'scenario.rebound',
      subjectId: stored.id,
      details: { environmentId: environment.id },
    });
    return { ...presentPublished(context, stored), projectId };
  });

const publishedByAnother: Refusal = {
  code: 'CONFLICT',
  message:
    'Another scenario publishes this environment; unpublish that scenario or choose another environment.',
  details: { reason: 'ENVIRONMENT_PUBLISHED', code: 'ENVIRONMENT_PUBLISHED' },
};
