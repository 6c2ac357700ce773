import type { Action } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { refuseInUse } from '../../../../platform/operations/refuse-in-use.ts';
import { pluginUsers } from '../../store/environment-use.ts';
import * as plugins from '../../store/plugins.ts';
import { findPlugin } from './find-plugin.ts';

export const deletePlugin: Action<'deletePlugin'> = async (context, { params }) => {
  await context.tenant(async (sql) => {
    const { id } = await findPlugin(sql, context.project.id, params.pluginId, 'forUpdate');
    refuseInUse('plugin', await pluginUsers(sql, id));
    await plugins.removePlugin(sql, id);
    await recordAudit(sql, context, { action: 'plugin.deleted', subjectId: id });
  });
  return { id: params.pluginId, deleted: true };
};
