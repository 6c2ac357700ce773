import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as environments from '../../store/environments.ts';

export async function findEnvironment(
  sql: Sql,
  projectId: string,
  environmentId: string,
  lock: 'forUpdate' | 'forShare' | 'read' = 'read',
): Promise<environments.StoredEnvironment> {
  const found = await environments.readEnvironment(sql, projectId, environmentId, lock);
  return found ?? refuse(notFound);
}
