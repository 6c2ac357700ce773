/**
 * Model providers in the database, with sealed addresses and keys. A tenant sees its own providers
 * and those of the operator. Providers are never cached, so a change applies from the next read.
 */
import type { ProviderDefinition, SavedProvider } from '@proofmark/domain';
import { isUniqueViolation, type Sql } from '../../../platform/database/database.ts';
import type { SealedField, Vault } from '../../../platform/vault/vault.ts';

type ProviderPlace = Pick<SavedProvider, 'organizationId' | 'name'>;

export function accessField(row: Pick<SavedProvider, 'id' | 'organizationId'>): SealedField {
  return { organizationId: row.organizationId ?? '', rowId: row.id, field: 'providerAccess' };
}

interface ProviderRow extends Omit<SavedProvider, 'baseUrl' | 'apiKey' | 'models'> {
  readonly sealedAccess: Buffer;
  readonly models: string;
}

/** Lists the providers of the organization and of the operator, sorted by name. */
export async function listProviders(
  sql: Sql,
  vault: Vault,
  organizationId: string | null,
): Promise<SavedProvider[]> {
  const rows = await sql<ProviderRow[]>`
    select ${columns(sql)} from model_providers
    where organization_id = ${organizationId} or organization_id is null
    order by name, organization_id`;
  return rows.map((row) => opened(vault, row));
}

export async function findProvider(
  sql: Sql,
  vault: Vault,
  place: ProviderPlace,
  lock?: 'forUpdate',
): Promise<SavedProvider | undefined> {
  const [row] = await sql<ProviderRow[]>`
    select ${columns(sql)} from model_providers
    where name = ${place.name} and organization_id is not distinct from ${place.organizationId}
    ${lock === undefined ? sql`` : sql`for update`}`;
  return row && opened(vault, row);
}

/** Returns false if a concurrent request has inserted the same name. */
export async function insertProvider(
  sql: Sql,
  vault: Vault,
  row: ProviderPlace & { readonly id: string },
  definition: ProviderDefinition,
): Promise<boolean> {
  try {
    await sql`
      insert into model_providers (id, organization_id, name, kind, sealed_access, models, requests_at_once)
      values (${row.id}, ${row.organizationId}, ${row.name}, ${definition.kind},
        ${sealedAccess(vault, row, definition)}, ${JSON.stringify(definition.models)},
        ${definition.requestsAtOnce})`;
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** The caller must hold the lock of the provider's row. */
export async function replaceProvider(
  sql: Sql,
  vault: Vault,
  stored: SavedProvider,
  definition: ProviderDefinition,
): Promise<void> {
  await sql`
    update model_providers set kind = ${definition.kind},
      sealed_access = ${sealedAccess(vault, stored, definition)},
      models = ${JSON.stringify(definition.models)}, requests_at_once = ${definition.requestsAtOnce},
      revision = revision + 1, updated_at = now()
    where id = ${stored.id}`;
}

export async function deleteProvider(sql: Sql, place: ProviderPlace): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    delete from model_providers
    where name = ${place.name} and organization_id is not distinct from ${place.organizationId}
    returning id`;
  return row?.id;
}

function columns(sql: Sql) {
  return sql`id, organization_id, name, kind, sealed_access, models, requests_at_once, revision`;
}

function opened(vault: Vault, { sealedAccess, models, ...row }: ProviderRow): SavedProvider {
  const access = JSON.parse(vault.open(sealedAccess, accessField(row)));
  return { ...row, ...access, models: JSON.parse(models) };
}

function sealedAccess(
  vault: Vault,
  row: Pick<SavedProvider, 'id' | 'organizationId'>,
  { baseUrl, apiKey }: ProviderDefinition,
): Buffer {
  return vault.seal(JSON.stringify({ baseUrl, apiKey }), accessField(row));
}
