/** The servers of a project by what a request calls them; those of other projects are not there. */
import type { Sql } from '../../storage/database/database.ts';
import { listNamedServers, type NamedServer } from '../../storage/servers/server-names.ts';
import { refuseMissing } from '../refuse-missing.ts';
import { findServerByName } from './find-server-by-name.ts';

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
