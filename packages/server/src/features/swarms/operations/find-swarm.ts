import { notFound, type SavedSwarm } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readSwarm } from '../store/swarms.ts';

export async function findSwarm(
  sql: Sql,
  projectId: string,
  swarmId: string,
  lock?: Parameters<typeof readSwarm>[3],
): Promise<SavedSwarm> {
  return (await readSwarm(sql, projectId, swarmId, lock)) ?? refuse(notFound);
}
