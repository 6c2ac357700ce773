import { notFound } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import * as plugins from '../../storage/environments/plugins.ts';
import { refuse } from '../action.ts';

export async function findPlugin(
  sql: Sql,
  projectId: string,
  pluginId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<plugins.StoredPlugin> {
  return (await plugins.readPlugin(sql, projectId, pluginId, lock)) ?? refuse(notFound);
}
