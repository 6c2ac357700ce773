/** Servers are named by id or by name, whatever the case of its letters; those of other projects are not there. */

import type { Sql } from '../../../../platform/database/database.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';

export type ServerNames = (references: readonly string[], path: string) => NamedServer[];

export async function nameServers(sql: Sql, projectId: string): Promise<ServerNames> {
  const servers = await listNamedServers(sql, projectId, undefined, 'forKeyShare');
  return (references, path) => {
    const found = references.map(
      (reference, index) =>
        findServerByName(servers, reference) ?? refuseMissing('server', `${path}[${index}]`),
    );
    return [...new Set(found)];
  };
}

export function findServerByName(
  servers: readonly NamedServer[],
  reference: string,
): NamedServer | undefined {
  const name = comparable(reference);
  return (
    servers.find(({ id }) => id === reference) ??
    servers.find((server) => comparable(server.name) === name)
  );
}

function comparable(name: string): string {
  return name.trim().toLowerCase();
}
