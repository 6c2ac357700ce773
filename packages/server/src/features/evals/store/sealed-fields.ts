/**
 * The row and field to which each sealed secret of a run is bound. A secret that is copied to
 * another row or field cannot be decrypted.
 */
import type { SealedField } from '../../../platform/vault/vault.ts';

interface RunIds {
  readonly id: string;
  readonly organizationId: string;
}

export const modelKeysField = (run: RunIds) => fieldOf(run, 'modelApiKeys');
export const pinnedProvidersField = (run: RunIds) => fieldOf(run, 'pinnedProviders');

function fieldOf({ id, organizationId }: RunIds, field: string): SealedField {
  return { organizationId, rowId: id, field };
}
