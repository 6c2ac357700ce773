import type { BodyOf, OutputOf } from '@proofmark/contract';
import { tooManyScenarios } from '@proofmark/domain';
import { newToken } from '../../../platform/accounts/token.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse, refuseIf } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { findEnvironment, type StoredEnvironment } from '../../environments/index.ts';
import { holdScenariosOfProject, insertScenario, readScenarioOf } from '../store/scenarios.ts';
import type { UserTestingParts, UserTestingProject } from '../user-testing-context.ts';
import { presentPublished } from './present-scenario.ts';
import { resolveForVisitors } from './resolve-for-visitors.ts';

export const publishScenario: Action<'publishScenario', UserTestingParts> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    // Locks the environment, so that it is not archived before the scenario is committed.
    const environment = await findEnvironment(sql, projectId, params.environmentId, 'forShare');
    const outcome = await resolveForVisitors(sql, environment);
    if ('refusal' in outcome) return refuse(outcome.refusal);
    const { live } = await holdScenariosOfProject(sql, projectId);
    const there = await readScenarioOf(sql, projectId, environment.id);
    if (there !== undefined) {
      const isIgnored = Object.keys(body).length > 0;
      return {
        ...presentPublished(context, there),
        created: false,
        ...(isIgnored && { overridesIgnored: true as const }),
      };
    }
    refuseIf(tooManyScenarios(live, context.spending.limits.maxScenariosPerProject));
    return publish(sql, context, environment, body);
  });

/**
 * Publishes the scenario with the requested access from the start, so that it is never open to more
 * people than requested.
 */
async function publish(
  sql: Sql,
  context: UserTestingProject,
  environment: StoredEnvironment,
  body: BodyOf<'publishScenario'>,
): Promise<OutputOf<'publishScenario'>> {
  const { organizationId, id: projectId } = context.project;
  const made = await insertScenario(
    sql,
    context.database.vault,
    {
      id: context.newId('scenario'),
      organizationId,
      projectId,
      environmentId: environment.id,
      name: body.name ?? environment.name,
      description: body.description || null,
      mode: body.mode ?? 'project_members',
      createdBy: context.caller.account.id,
    },
    newToken(),
  );
  const details = { environmentId: environment.id, mode: made.mode };
  await recordAudit(sql, context, { action: 'scenario.published', subjectId: made.id, details });
  return { ...presentPublished(context, made), created: true };
}
