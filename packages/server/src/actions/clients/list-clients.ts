import { readClients as listStoredClients } from '../../storage/environments/clients.ts';
import { type Action, presentPage } from '../action.ts';
import { presentClient } from './present-client.ts';

export const listClients: Action<'listClients'> = async (context, { page }) =>
  presentPage(
    await context.tenant((sql) => listStoredClients(sql, context.project.id, page)),
    presentClient,
  );
