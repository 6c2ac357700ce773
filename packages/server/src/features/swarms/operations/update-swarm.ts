import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { storeSwarm } from '../store/swarms.ts';
import { checkTargets } from './check-targets.ts';
import { findSwarm } from './find-swarm.ts';
import { presentSwarm } from './present-swarm.ts';

export const updateSwarm: Action<'updateSwarm'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const current = await findSwarm(sql, projectId, params.swarmId, 'forNoKeyUpdate');
    await checkTargets(sql, projectId, body);
    const { description, environmentIds } = body;
    const stored = await storeSwarm(sql, {
      ...current,
      name: body.name ?? current.name,
      description: description === undefined ? current.description : description,
      environmentIds:
        environmentIds === undefined ? current.environmentIds : (environmentIds ?? []),
      sessionsPerTarget: body.sessionsPerTarget ?? current.sessionsPerTarget,
      maxTurns: body.maxTurns ?? current.maxTurns,
    });
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'swarm.updated', subjectId: current.id, details });
    return presentSwarm(stored);
  });
