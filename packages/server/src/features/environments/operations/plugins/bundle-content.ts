/**
 * Returns the content of a new plugin version: the named servers and skills, each skill at its
 * latest version.
 */

import { canonicalPluginContent } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuseFirstMissing } from '../../../../platform/operations/refuse-missing.ts';
import { listNamedServers } from '../../../servers/index.ts';
import { listResolvableSkills } from '../../store/skills.ts';

export async function bundleContent(
  sql: Sql,
  projectId: string,
  body: {
    readonly declaredVersion?: string | undefined;
    readonly serverIds: readonly string[];
    readonly skillIds: readonly string[];
  },
): Promise<{ readonly text: string; readonly bundleHash: string }> {
  const servers = await listNamedServers(sql, projectId, body.serverIds, 'forKeyShare');
  refuseFirstMissing('server', 'body.serverIds', body.serverIds, idsOf(servers));
  const skills = await listResolvableSkills(sql, projectId, body.skillIds);
  refuseFirstMissing('skill', 'body.skillIds', body.skillIds, idsOf(skills));
  const text = canonicalPluginContent({
    ...(body.declaredVersion === undefined ? {} : { declaredVersion: body.declaredVersion }),
    servers: servers.map(({ id, name, transportType }) => ({
      serverId: id,
      name,
      placement: transportType === 'stdio' ? 'local' : 'remote',
    })),
    skills: skills.map(({ id, latestVersionId, name, contentHash }) => ({
      skillId: id,
      skillVersionId: latestVersionId,
      name,
      contentHash,
    })),
  });
  return { text, bundleHash: sha256Hex(text) };
}

function idsOf(rows: readonly { readonly id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
