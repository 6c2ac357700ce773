/** What the secrets of a saved server are bound to. */
import type { SealedField } from '../../../platform/vault/vault.ts';

interface ServerIds {
  readonly id: string;
  readonly organizationId: string;
}

export const addressesField = (server: ServerIds) => fieldOf(server, 'addresses');
export const headersField = (server: ServerIds) => fieldOf(server, 'headers');
export const clientSecretField = (server: ServerIds) => fieldOf(server, 'clientSecret');

function fieldOf({ id, organizationId }: ServerIds, field: string): SealedField {
  return { organizationId, rowId: id, field };
}
