import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as plugins from '../../store/plugins.ts';

export async function findPlugin(
  sql: Sql,
  projectId: string,
  pluginId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<plugins.StoredPlugin> {
  return (await plugins.readPlugin(sql, projectId, pluginId, lock)) ?? refuse(notFound);
}
