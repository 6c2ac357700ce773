/**
 * Rejects a client's references to servers and skills outside its project. References that the
 * client already has are not checked again: a target may have been deleted since, and an edit of
 * another field must not fail because of it.
 */
import type { ClientConfig } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuseFirstMissing } from '../../../platform/operations/refuse-missing.ts';
import { holdSkills } from '../../environments/index.ts';
import { findServerIds } from '../../servers/index.ts';

type Attached = Pick<ClientConfig, 'serverIds' | 'optionalServerIds' | 'skillSelection'>;

/** `path` is the path of the server and skill lists in the request. */
export async function refuseUnknownReferences(
  sql: Sql,
  projectId: string,
  path: string,
  given: Attached,
  before: Attached = {},
): Promise<void> {
  const hadServers = serversOf(before);
  const added = serversOf(given).filter((id) => !hadServers.includes(id));
  const servers = new Set([...hadServers, ...(await findServerIds(sql, projectId, added))]);
  for (const list of ['serverIds', 'optionalServerIds'] as const)
    refuseFirstMissing('server', `${path}.${list}`, given[list] ?? [], servers);
  const hadSkills = skillsOf(before);
  const newSkills = skillsOf(given).filter((id) => !hadSkills.includes(id));
  if (newSkills.length === 0) return;
  const skills = new Set([...hadSkills, ...(await holdSkills(sql, projectId, newSkills))]);
  refuseFirstMissing('skill', `${path}.skillSelection.skillIds`, skillsOf(given), skills);
}

function serversOf({ serverIds = [], optionalServerIds = [] }: Attached): string[] {
  return [...serverIds, ...optionalServerIds];
}

function skillsOf({ skillSelection }: Attached): readonly string[] {
  return skillSelection?.mode === 'explicit' ? skillSelection.skillIds : [];
}
