import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import * as environments from '../../storage/environments/environments.ts';
import { refuse } from '../action.ts';

export async function findEnvironment(
  sql: Sql,
  projectId: string,
  environmentId: string,
  lock: 'forUpdate' | 'forShare' | 'read' = 'read',
): Promise<environments.StoredEnvironment> {
  const found = await environments.readEnvironment(sql, projectId, environmentId, lock);
  return found ?? refuse(notFound);
}
