/**
 * The row and field to which sealed data is bound: a saved server's secrets and a run's pinned
 * servers. Data that is copied to another row or field cannot be decrypted.
 */
import type { SealedField } from '../../../platform/vault/vault.ts';

interface RowIds {
  readonly id: string;
  readonly organizationId: string;
}

export const addressesField = (server: RowIds) => fieldOf(server, 'addresses');
export const headersField = (server: RowIds) => fieldOf(server, 'headers');
export const clientSecretField = (server: RowIds) => fieldOf(server, 'clientSecret');
export const pinnedServersField = (run: RowIds) => fieldOf(run, 'pinnedServers');

function fieldOf({ id, organizationId }: RowIds, field: string): SealedField {
  return { organizationId, rowId: id, field };
}
