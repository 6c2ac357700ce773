import { notFound, type SavedSwarm } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readSwarm } from '../../storage/swarms/swarms.ts';
import { refuse } from '../action.ts';

export async function findSwarm(
  sql: Sql,
  projectId: string,
  swarmId: string,
  lock?: Parameters<typeof readSwarm>[3],
): Promise<SavedSwarm> {
  return (await readSwarm(sql, projectId, swarmId, lock)) ?? refuse(notFound);
}
