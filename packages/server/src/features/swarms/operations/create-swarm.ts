import type { Action } from '../../../platform/operations/action.ts';
import { makeOnce } from '../../../platform/operations/keyed-answers.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { insertSwarm } from '../store/swarms.ts';
import { checkTargets } from './check-targets.ts';
import { presentSwarm } from './present-swarm.ts';

export const createSwarm: Action<'createSwarm'> = (context, { body, idempotencyKey: key }) => {
  const { organizationId, id: projectId } = context.project;
  return makeOnce(context, { operation: 'createSwarm', key, body }, async (sql) => {
    await checkTargets(sql, projectId, body);
    const stored = await insertSwarm(
      sql,
      { organizationId, projectId },
      {
        id: context.newId('swarm'),
        name: body.name,
        description: body.description ?? null,
        environmentIds: body.environmentIds ?? [],
        sessionsPerTarget: body.sessionsPerTarget,
        maxTurns: body.maxTurns,
      },
    );
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'swarm.created', subjectId: stored.id, details });
    return presentSwarm(stored);
  });
};
