import { invalid } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { readEnvironment } from '../../../environments/index.ts';

/** Locks the environment until the transaction ends, so that it cannot be archived meanwhile. */
export async function refuseDeadEnvironment(
  sql: Sql,
  projectId: string,
  environmentId: string,
  path: string,
): Promise<void> {
  const found = await readEnvironment(sql, projectId, environmentId, 'forShare');
  if (found === undefined) return refuseMissing('environment', path);
  if (found.archivedAt === null) return;
  const message = 'This environment is archived; restore it first or name another.';
  refuse(invalid(path, message, { reason: 'ENVIRONMENT_ARCHIVED' }));
}
