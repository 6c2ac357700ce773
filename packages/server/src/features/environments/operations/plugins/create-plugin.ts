import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { nameTaken } from '../../../../platform/operations/name-taken.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import * as plugins from '../../store/plugins.ts';
import { bundleContent } from './bundle-content.ts';
import { findPlugin } from './find-plugin.ts';
import { presentPluginDetail } from './present-plugin.ts';

export const createPlugin: Action<'createPlugin'> = async (context, { body }) => {
  const { project } = context;
  const id = context.newId('plugin');
  const versionId = context.newId('pluginVersion');
  return context.tenant(async (sql) => {
    const bundle = await bundleContent(sql, project.id, body);
    const inserted = await plugins.insertPlugin(sql, project.organizationId, {
      id,
      projectId: project.id,
      name: body.name,
      displayName: body.displayName ?? null,
      description: body.description ?? null,
      activeVersionId: versionId,
    });
    if (inserted === 'nameTaken') refuse(nameTaken('plugin'));
    const version = { id: versionId, pluginId: id, number: 1, ...bundle };
    await plugins.insertPluginVersion(sql, project.organizationId, version);
    await recordAudit(sql, context, {
      action: 'plugin.created',
      subjectId: id,
      details: { fields: Object.keys(body) },
    });
    const plugin = await findPlugin(sql, project.id, id);
    return presentPluginDetail(plugin, await plugins.listPluginVersions(sql, id));
  });
};
