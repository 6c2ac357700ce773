import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import { listPlugins } from '../../store/plugins.ts';
import { presentPlugin } from './present-plugin.ts';

export const listProjectPlugins: Action<'listProjectPlugins'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => listPlugins(sql, context.project.id, page)),
    presentPlugin,
  );
