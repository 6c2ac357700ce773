/**
 * Returns the saved server named by id or name. Without a name, returns the project's only server.
 */
import { readAllPages } from '@proofmark/client';
import { namedOne } from './choose-project.ts';
import type { Connection } from './connection.ts';
import { UsageProblem } from './exit-codes.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export async function findServer(
  { client, projectId }: Connection,
  wanted: string | undefined,
): Promise<Named> {
  const servers = await readAllPages((page) => client.listProjectServers({ projectId, ...page }));
  if (wanted !== undefined) {
    return namedOne(servers, wanted, 'server', 'see `proofmark server list`');
  }
  return onlyServer(servers);
}

export function onlyServer(servers: readonly Named[]): Named {
  const [first, second] = servers;
  if (first === undefined) {
    throw new UsageProblem('No server is saved yet. Save one: proofmark server add NAME URL');
  }
  if (second === undefined) return first;
  const shown = servers.slice(0, 10).map(({ name }) => name);
  throw new UsageProblem(
    `Name the server: ${shown.join(', ')}${servers.length > 10 ? ', …' : ''}.`,
  );
}
