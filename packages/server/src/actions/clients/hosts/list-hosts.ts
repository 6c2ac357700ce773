import { readClients } from '../../../storage/environments/clients.ts';
import { type Action, presentPage } from '../../action.ts';
import { presentHost } from './present-host.ts';

export const listHosts: Action<'listHosts'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => readClients(sql, context.project.id, page)),
    presentHost,
  );
