import type { Action } from '../../../../platform/operations/action.ts';
import { listPluginVersions } from '../../store/plugins.ts';
import { findPlugin } from './find-plugin.ts';
import { presentPluginDetail } from './present-plugin.ts';

export const getPlugin: Action<'getPlugin'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const plugin = await findPlugin(sql, context.project.id, params.pluginId);
    return presentPluginDetail(plugin, await listPluginVersions(sql, plugin.id));
  });
