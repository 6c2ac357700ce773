/**
 * Locks the plugin. So two concurrent requests with the same content get one version, and the
 * version numbers have no gaps.
 */
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import * as plugins from '../../store/plugins.ts';
import { bundleContent } from './bundle-content.ts';
import { findPlugin } from './find-plugin.ts';
import { presentPluginVersion } from './present-plugin-version.ts';

export const createPluginVersion: Action<'createPluginVersion'> = async (
  context,
  { params, body },
) => {
  const { project } = context;
  return context.tenant(async (sql) => {
    const plugin = await findPlugin(sql, project.id, params.pluginId, 'forUpdate');
    const bundle = await bundleContent(sql, project.id, body);
    const versions = await plugins.listPluginVersions(sql, plugin.id);
    const earlier = versions.find(({ bundleHash }) => bundleHash === bundle.bundleHash);
    const id = earlier?.id ?? context.newId('pluginVersion');
    if (earlier === undefined) {
      const number = (versions.at(-1)?.number ?? 0) + 1;
      const version = { id, pluginId: plugin.id, number, ...bundle };
      await plugins.insertPluginVersion(sql, project.organizationId, version);
    }
    if (plugin.activeVersionId !== id) {
      await plugins.activatePluginVersion(sql, plugin.id, id);
      await recordAudit(sql, context, {
        action: earlier === undefined ? 'plugin.versionCreated' : 'plugin.versionActivated',
        subjectId: plugin.id,
      });
    }
    return presentPluginVersion((await plugins.findPluginVersion(sql, id)) ?? refuse(notFound));
  });
};
