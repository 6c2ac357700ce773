import type { SavedServer } from '@proofmark/domain';
import type { Headers } from '../../server/src/features/servers/store/servers.ts';
import type { Sql } from '../../server/src/platform/database/database.ts';
import type { Vault } from '../../server/src/platform/vault/vault.ts';

/**
 * Decrypts the stored secrets of a server, so that tests can compare them with the secrets that
 * they saved.
 */
export async function openServerSecrets(
  sql: Sql,
  vault: Vault,
  server: Pick<SavedServer, 'id' | 'organizationId'>,
): Promise<{ headers: Headers; clientSecret: string | undefined }> {
  const [row] = await sql<{ sealedHeaders: Buffer | null; sealedClientSecret: Buffer | null }[]>`
    select sealed_headers, sealed_client_secret from servers where id = ${server.id}`;
  const ids = { organizationId: server.organizationId, rowId: server.id };
  const headers = row?.sealedHeaders && vault.open(row.sealedHeaders, { ...ids, field: 'headers' });
  const secret =
    row?.sealedClientSecret &&
    vault.open(row.sealedClientSecret, { ...ids, field: 'clientSecret' });
  return {
    headers: headers ? (JSON.parse(headers) as Headers) : {},
    clientSecret: secret ?? undefined,
  };
}
