/**
 * The environments in which a server is used, and one made for a server alone: with a client that
 * has the server and the built-in model, both named as the server.
 */
import { readAllPages } from '@proofmark/client';
import { useQuery } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { ServerIds } from '../../../kit/data/server-lists.ts';
import { makeEnvironment } from './make-environment.ts';

export interface EnvironmentOfServer {
  readonly id: string;
  readonly name: string;
  /** Whether the environment has no other server. */
  readonly isAlone: boolean;
}

/**
 * The number of environments, newest first, whose servers are read: each takes a request, since no
 * list of environments contains them.
 */
const mostAsked = 20;

export function useEnvironmentsOf(ids: ServerIds) {
  return useQuery({
    queryKey: [
      ...allBelow('listEnvironments', { projectId: ids.projectId }),
      'of-server',
      ids.serverId,
    ],
    queryFn: ({ signal }) => readEnvironmentsOf(ids, signal),
  });
}

async function readEnvironmentsOf(
  { projectId, serverId }: ServerIds,
  signal?: AbortSignal,
): Promise<EnvironmentOfServer[]> {
  const options = signal === undefined ? {} : { signal };
  const all = await readAllPages((page) =>
    client.listEnvironments({ projectId, ...page }, options),
  );
  const asked = all.sort((a, b) => b.createdAt - a.createdAt).slice(0, mostAsked);
  const found = await Promise.all(
    asked.map(async ({ id, name }) => {
      const servers = await client
        .resolveEnvironment({ projectId, environmentId: id }, options)
        // An environment that cannot be resolved has no servers to offer.
        .then(({ effectiveServerIds }) => effectiveServerIds)
        .catch((): string[] => []);
      return { id, name, isAlone: servers.length === 1, has: servers.includes(serverId) };
    }),
  );
  return found.filter(({ has }) => has).map(({ id, name, isAlone }) => ({ id, name, isAlone }));
}

/** Returns the id of an environment with this server alone, made if there is none. */
export async function environmentFor(ids: ServerIds, serverName: string): Promise<string> {
  const { projectId, serverId } = ids;
  const alone = (await readEnvironmentsOf(ids)).find(({ isAlone }) => isAlone);
  if (alone !== undefined) return alone.id;
  const wish = { content: { name: serverName }, isNewClient: true, serverIds: [serverId] };
  return (await makeEnvironment(projectId, wish)).id;
}
