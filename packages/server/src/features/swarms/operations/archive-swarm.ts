import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { markSwarmArchived } from '../store/swarms.ts';
import { findSwarm } from './find-swarm.ts';

export const archiveSwarm: Action<'archiveSwarm'> = async (context, { params }) => {
  const { id: projectId } = context.project;
  const { swarmId: id } = params;
  await context.tenant(async (sql) => {
    await findSwarm(sql, projectId, id, 'forNoKeyUpdate');
    await markSwarmArchived(sql, id);
    await recordAudit(sql, context, { action: 'swarm.archived', subjectId: id });
  });
  return { id, projectId, archived: true };
};
