import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { readClients as listStoredClients } from '../store/clients.ts';
import { presentClient } from './present-client.ts';

export const listClients: Action<'listClients'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => listStoredClients(sql, context.project.id, page)),
    presentClient,
  );
