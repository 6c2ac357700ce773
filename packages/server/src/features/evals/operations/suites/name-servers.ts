/**
 * Finds the servers of a project by their names in a request. Servers of other projects count as
 * missing.
 */
import type { Sql } from '../../../../platform/database/database.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { listNamedServers, type NamedServer } from '../../../servers/index.ts';
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
