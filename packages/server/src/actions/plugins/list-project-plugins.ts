import { listPlugins } from '../../storage/environments/plugins.ts';
import { type Action, presentPage } from '../action.ts';
import { presentPlugin } from './present-plugin.ts';

export const listProjectPlugins: Action<'listProjectPlugins'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => listPlugins(sql, context.project.id, page)),
    presentPlugin,
  );
