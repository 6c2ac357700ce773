import type { RunTarget } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { findClientNames } from '../../../clients/index.ts';
import { findEnvironmentNames } from '../../../environments/index.ts';

/** As they are called now; one that is gone has none. */
export async function namesOfTargets(
  sql: Sql,
  projectId: string,
  chosen: readonly { readonly target: RunTarget }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = (kind: keyof RunTarget) => chosen.flatMap(({ target }) => target[kind] ?? []);
  const [environments, clients] = await Promise.all([
    findEnvironmentNames(sql, projectId, ids('environmentId')),
    findClientNames(sql, projectId, ids('namedHostId')),
  ]);
  return new Map([...environments, ...clients]);
}
