/** The fields that the secrets of a saved server, and the pinned servers of a run, are bound to. */
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
