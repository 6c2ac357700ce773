/**
 * Rejects new references to targets outside the project. Each new target is locked until the write
 * is done, so that it cannot be deleted in between. References that the environment already had are
 * not checked again.
 */
import type { EnvironmentEdit } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import {
  refuseFirstMissing,
  refuseMissing,
} from '../../../../platform/operations/refuse-missing.ts';
import { readClient } from '../../../clients/index.ts';
import { readServerAttachment } from '../../../servers/index.ts';
import { findPluginVersions } from '../../store/plugins.ts';
import { holdSkills } from '../../store/skills.ts';
import { lockServers } from './lock-servers.ts';

export async function checkReferences(
  sql: Sql,
  projectId: string,
  body: Omit<EnvironmentEdit, 'expectedRevision'>,
): Promise<void> {
  const { hostId, serverAttachmentId, skillSelection, pluginVersionIds } = body;
  if (hostId !== undefined && !(await readClient(sql, projectId, hostId, 'forShare')))
    refuseMissing('client', 'body.hostId');
  if (
    typeof serverAttachmentId === 'string' &&
    !(await readServerAttachment(sql, projectId, serverAttachmentId, 'forKeyShare'))
  ) {
    refuseMissing('server group', 'body.serverAttachmentId');
  }
  if (skillSelection) {
    const { skillIds } = skillSelection;
    const held = await holdSkills(sql, projectId, skillIds);
    refuseFirstMissing('skill', 'body.skillSelection.skillIds', skillIds, held);
  }
  if (pluginVersionIds) {
    const held = await findPluginVersions(sql, projectId, pluginVersionIds, 'hold');
    const ids = new Set(held.map(({ id }) => id));
    refuseFirstMissing('plugin version', 'body.pluginVersionIds', pluginVersionIds, ids);
    const bundled = held.flatMap(({ content }) => content.skills.map(({ skillId }) => skillId));
    await holdSkills(sql, projectId, bundled);
  }
  await lockServers(sql, projectId, body);
}
