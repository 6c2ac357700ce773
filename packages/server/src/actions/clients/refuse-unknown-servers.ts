/**
 * A client is attached to servers of its own project. One that is not there, one of another project and one of another
 * organization are refused alike. A server the client has already is not asked for again: it may have been deleted
 * since, and an edit of something else must not fail for that.
 */
import type { ClientConfig } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { findServerIds } from '../../storage/servers/servers.ts';
import { refuseFirstMissing } from '../refuse-missing.ts';

type Attached = Pick<ClientConfig, 'serverIds' | 'optionalServerIds'>;

/** `path` is where the lists stand in what was sent. */
export async function refuseUnknownServers(
  sql: Sql,
  projectId: string,
  path: string,
  given: Attached,
  before: Attached = {},
): Promise<void> {
  const had = idsOf(before);
  const added = idsOf(given).filter((id) => !had.includes(id));
  const found = new Set([...had, ...(await findServerIds(sql, projectId, added))]);
  for (const list of ['serverIds', 'optionalServerIds'] as const)
    refuseFirstMissing('server', `${path}.${list}`, given[list] ?? [], found);
}

function idsOf({ serverIds = [], optionalServerIds = [] }: Attached): string[] {
  return [...serverIds, ...optionalServerIds];
}
