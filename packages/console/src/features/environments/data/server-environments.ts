/**
 * Finds the environments that use a server, or creates one for the server alone, with a client that
 * has the built-in model.
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
  readonly isAlone: boolean;
}

/**
 * Maximum number of environments whose servers are read, newest first. Each environment takes one
 * request, because the list of environments does not contain their servers.
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

/**
 * Returns the id of an environment with only this server, and creates the environment if there is
 * none.
 */
export async function environmentFor(ids: ServerIds, serverName: string): Promise<string> {
  const { projectId, serverId } = ids;
  const alone = (await readEnvironmentsOf(ids)).find(({ isAlone }) => isAlone);
  if (alone !== undefined) return alone.id;
  const request = { content: { name: serverName }, isNewClient: true, serverIds: [serverId] };
  return (await makeEnvironment(projectId, request)).id;
}
