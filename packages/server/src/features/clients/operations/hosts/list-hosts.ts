import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import { readClients } from '../../store/clients.ts';
import { presentHost } from './present-host.ts';

export const listHosts: Action<'listHosts'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => readClients(sql, context.project.id, page)),
    presentHost,
  );
