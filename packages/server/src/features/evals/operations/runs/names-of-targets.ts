import type { RunTarget } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { findClientNames } from '../../../clients/index.ts';
import { findEnvironmentNames } from '../../../environments/index.ts';

/** Returns the current names of the targets, without those that no longer exist. */
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
