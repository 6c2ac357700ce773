import {
  actsWithCredentials,
  type Refusal,
  type ResolvedEnvironment,
  type SavedServer,
} from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { readEnvironment } from '../../environments/index.ts';
import { findGrantedServers, readServersOf } from '../../servers/index.ts';
import type { StoredScenario } from '../store/scenarios.ts';
import { resolveForVisitors } from './resolve-for-visitors.ts';

export interface PlayedScenario {
  readonly resolved: ResolvedEnvironment;
  readonly servers: readonly SavedServer[];
  readonly credentialedServerNames: readonly string[];
}

export async function readPlayed(
  sql: Sql,
  { vault }: Pick<Database, 'vault'>,
  { projectId, environmentId }: StoredScenario,
): Promise<PlayedScenario | { readonly refusal: Refusal }> {
  const environment = await readEnvironment(sql, projectId, environmentId);
  // This cannot happen, because environments are archived and never deleted.
  if (environment === undefined) throw new Error('The environment of this scenario was deleted.');
  const outcome = await resolveForVisitors(sql, environment);
  if ('refusal' in outcome) return outcome;
  const { resolved } = outcome;
  const ids = resolved.effectiveServerIds;
  const saved = await readServersOf(sql, vault, projectId, ids);
  const granted = await findGrantedServers(sql, projectId, ids);
  const servers = ids.flatMap((id) => saved.filter((server) => server.id === id));
  const credentialed = servers.filter((server) =>
    actsWithCredentials({ ...server, hasGrant: granted.has(server.id) }, resolved.client.config),
  );
  return { resolved, servers, credentialedServerNames: credentialed.map(({ name }) => name) };
}
