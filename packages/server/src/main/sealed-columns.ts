/**
 * Every column with encrypted values, and the data that each value is bound to. In each of these
 * columns, a trigger rejects values under an old key; the migration that creates the column creates
 * its trigger. A test compares this list with the tables.
 */

import { scorerSecretField } from '../features/evals/store/scorer-secrets.ts';
import { modelKeysField, pinnedProvidersField } from '../features/evals/store/sealed-fields.ts';
import { accessField } from '../features/models/store/model-providers.ts';
import { tokensField } from '../features/servers/store/oauth-grants.ts';
import {
  addressesField,
  clientSecretField,
  headersField,
  pinnedServersField,
} from '../features/servers/store/sealed-fields.ts';
import { linkField } from '../features/user-testing/store/scenarios.ts';
import type { SealedColumn } from '../platform/keys/change-key.ts';
import type { SealedField } from '../platform/vault/vault.ts';

export const sealedColumns: readonly SealedColumn[] = [
  ofServers('sealed_addresses', addressesField),
  ofServers('sealed_headers', headersField),
  ofServers('sealed_client_secret', clientSecretField),
  {
    table: 'oauth_grants',
    column: 'sealed_tokens',
    id: 'server_id',
    boundTo: ['organization_id', 'origin', 'issuer', 'token_endpoint'],
    fieldOf: ({ id, organizationId, origin, issuer, tokenEndpoint }) =>
      tokensField({
        serverId: id,
        organizationId: organizationId as string,
        origin: origin as string,
        issuer: issuer == null ? null : { issuer, tokenEndpoint: tokenEndpoint as string },
      }),
  },
  ofRuns('sealed_keys', modelKeysField),
  ofRuns('sealed_servers', pinnedServersField),
  ofRuns('sealed_providers', pinnedProvidersField),
  ofRuns('sealed_servers', pinnedServersField, 'journey_run_snapshots'),
  ofRuns('sealed_providers', pinnedProvidersField, 'journey_run_snapshots'),
  ofMutations('sealed_servers', pinnedServersField),
  ofMutations('sealed_providers', pinnedProvidersField),
  {
    table: 'model_providers',
    column: 'sealed_access',
    id: 'id',
    boundTo: ['organization_id'],
    fieldOf: ({ id, organizationId }) =>
      accessField({ id, organizationId: organizationId ?? null }),
  },
  {
    table: 'scenarios',
    column: 'sealed_token',
    id: 'id',
    boundTo: ['organization_id'],
    fieldOf: own(linkField),
  },
  {
    table: 'projects',
    column: 'sealed_scorer_secret',
    id: 'id',
    boundTo: ['organization_id'],
    fieldOf: own(scorerSecretField),
  },
];

interface OwnRow {
  readonly id: string;
  readonly organizationId: string;
}

function ofServers(column: string, field: (row: OwnRow) => SealedField): SealedColumn {
  return { table: 'servers', column, id: 'id', boundTo: ['organization_id'], fieldOf: own(field) };
}

function ofRuns(
  column: string,
  field: (row: OwnRow) => SealedField,
  table = 'eval_run_plans',
): SealedColumn {
  return {
    table,
    column,
    id: 'run_id',
    boundTo: ['organization_id'],
    fieldOf: own(field),
  };
}

function ofMutations(column: string, field: (row: OwnRow) => SealedField): SealedColumn {
  const named = { table: 'suite_mutations', column, id: 'id', boundTo: ['organization_id'] };
  return { ...named, fieldOf: own(field) };
}

function own(field: (row: OwnRow) => SealedField): SealedColumn['fieldOf'] {
  return ({ id, organizationId }) => field({ id, organizationId: organizationId as string });
}
