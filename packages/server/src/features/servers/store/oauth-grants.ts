/**
 * Imported OAuth tokens, one grant per server. Times are stored by the database clock and returned
 * relative to its current time. The sealed tokens are bound to their permitted targets: if someone
 * changes a row's origin, issuer or token endpoint by hand, its tokens can no longer be opened.
 */
import type { ClientAuthentication } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import type { SealedField, Vault } from '../../../platform/vault/vault.ts';
import { clientSecretField } from './sealed-fields.ts';

export interface GrantIds {
  readonly organizationId: string;
  readonly projectId: string;
  readonly serverId: string;
}

export interface GrantSecrets {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly clientSecret?: string;
}

/** The issuer that renews the tokens; absent for a grant without a refresh token. */
export interface GrantIssuer {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly clientAuthentication: ClientAuthentication;
}

export interface GrantWrite extends GrantIds {
  readonly origin: string;
  readonly issuer: GrantIssuer | null;
  readonly clientId: string | null;
  readonly resource: string | null;
  readonly scope: string | null;
  readonly secrets: GrantSecrets;
  /** The lifetime of the access token in milliseconds; null if unknown. */
  readonly lifetimeMs: number | null;
}

export interface OAuthGrant extends Omit<GrantWrite, 'lifetimeMs'> {
  readonly importId: string;
  readonly revision: number;
  readonly state: 'active' | 'over';
  readonly ageMs: number;
  readonly expiresInMs: number | null;
  /** Milliseconds for which another process may still be renewing the grant; 0 if none is. */
  readonly refreshingForMs: number;
  readonly failures: number;
  /** After a failed renewal, the milliseconds until the next one may be tried. */
  readonly refreshAgainInMs: number;
}

export async function findGrantedServers(
  sql: Sql,
  projectId: string,
  serverIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ serverId: string }[]>`
    select server_id from oauth_grants
    where project_id = ${projectId} and server_id = any (${serverIds as string[]}) and state = 'active'`;
  return new Set(rows.map(({ serverId }) => serverId));
}

/** Stores an imported grant. It replaces any earlier grant, even one that is being renewed. */
export async function replaceGrant(
  sql: Sql,
  vault: Vault,
  write: GrantWrite,
): Promise<{ readonly expiresAt: Date | null }> {
  const sealed = vault.seal(JSON.stringify(write.secrets), tokensField(write));
  await dropGrant(sql, write);
  const [row] = await sql<{ expiresAt: Date | null }[]>`
    insert into oauth_grants (server_id, organization_id, project_id, import_id, origin, issuer,
      token_endpoint, client_authentication, client_id, resource, scope, sealed_tokens, expires_at)
    values (${write.serverId}, ${write.organizationId}, ${write.projectId}, gen_random_uuid(),
      ${write.origin}, ${write.issuer?.issuer ?? null}, ${write.issuer?.tokenEndpoint ?? null},
      ${write.issuer?.clientAuthentication ?? null}, ${write.clientId}, ${write.resource},
      ${write.scope}, ${sealed}, ${afterNow(sql, write.lifetimeMs)})
    returning expires_at`;
  return row as { expiresAt: Date | null };
}

export async function findGrant(
  sql: Sql,
  vault: Vault,
  { projectId, serverId }: GrantIds,
): Promise<OAuthGrant | undefined> {
  const [row] = await sql<GrantRow[]>`
    select server_id, organization_id, project_id, import_id, origin, issuer, token_endpoint,
      client_authentication, client_id, resource, scope, sealed_tokens, revision, state, failures,
      ${msUntil(sql, sql`now()`, sql`obtained_at`)} as age_ms,
      ${msUntil(sql, sql`expires_at`)} as expires_in_ms,
      coalesce(greatest(0, ${msUntil(sql, sql`refreshing_until`)}), 0) as refreshing_for_ms,
      coalesce(greatest(0, ${msUntil(sql, sql`refresh_again_at`)}), 0) as refresh_again_in_ms
    from oauth_grants where project_id = ${projectId} and server_id = ${serverId}`;
  return row && grantOf(vault, row);
}

/**
 * Takes the lease for renewing one revision of a grant. Only one process gets it; the others wait
 * until the revision has changed or the lease has expired.
 */
export async function takeRefreshLease(
  sql: Sql,
  grant: Pick<OAuthGrant, 'serverId' | 'importId' | 'revision'>,
  lease: { readonly holder: string; readonly durationMs: number },
): Promise<boolean> {
  const taken = await sql`
    update oauth_grants set refreshing_by = ${lease.holder},
      refreshing_until = ${afterNow(sql, lease.durationMs)}
    where server_id = ${grant.serverId} and import_id = ${grant.importId}
      and revision = ${grant.revision} and state = 'active'
      and (refreshing_until is null or refreshing_until <= now())
      and (refresh_again_at is null or refresh_again_at <= now())`;
  return taken.count === 1;
}

/**
 * Stores renewed tokens if the caller still holds the lease, so that a newer import or the tokens
 * of a later holder are never overwritten. Returns whether they were stored.
 */
export async function saveRefreshed(
  sql: Sql,
  vault: Vault,
  grant: OAuthGrant,
  holder: string,
  renewed: {
    readonly secrets: GrantSecrets;
    readonly lifetimeMs: number | null;
    readonly scope: string | null;
  },
): Promise<boolean> {
  const saved = await sql`
    update oauth_grants set
      sealed_tokens = ${vault.seal(JSON.stringify(renewed.secrets), tokensField(grant))},
      scope = ${renewed.scope}, obtained_at = now(),
      expires_at = ${afterNow(sql, renewed.lifetimeMs)}, revision = revision + 1,
      refreshing_by = null, refreshing_until = null, failures = 0, refresh_again_at = null
    where server_id = ${grant.serverId} and refreshing_by = ${holder}`;
  return saved.count === 1;
}

/**
 * Deletes the tokens, which have become useless. The row stays and shows that the grant has ended.
 */
export async function endGrant(
  sql: Sql,
  vault: Vault,
  grant: OAuthGrant,
  holder: string,
): Promise<void> {
  const nothing: GrantSecrets = { accessToken: '' };
  await sql`
    update oauth_grants set state = 'over', revision = revision + 1,
      sealed_tokens = ${vault.seal(JSON.stringify(nothing), tokensField(grant))},
      refreshing_by = null, refreshing_until = null
    where server_id = ${grant.serverId} and refreshing_by = ${holder}`;
}

export async function postponeRefresh(
  sql: Sql,
  grant: Pick<OAuthGrant, 'serverId'>,
  holder: string,
  pauseMs: number,
): Promise<void> {
  await sql`
    update oauth_grants set failures = failures + 1,
      refresh_again_at = ${afterNow(sql, pauseMs)}, refreshing_by = null, refreshing_until = null
    where server_id = ${grant.serverId} and refreshing_by = ${holder}`;
}

export async function dropGrant(
  sql: Sql,
  { projectId, serverId }: Pick<GrantIds, 'projectId' | 'serverId'>,
): Promise<void> {
  await sql`delete from oauth_grants where project_id = ${projectId} and server_id = ${serverId}`;
}

export async function useOAuthFromNowOn(
  sql: Sql,
  { projectId, serverId }: Pick<GrantIds, 'projectId' | 'serverId'>,
): Promise<void> {
  await sql`
    update servers set use_oauth = true, updated_at = now()
    where project_id = ${projectId} and id = ${serverId}`;
}

/**
 * Opens the client secret that is saved with the server; used for an import without a client
 * secret.
 */
export async function openSavedClientSecret(
  sql: Sql,
  vault: Vault,
  server: { readonly id: string; readonly organizationId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ sealed: Buffer | null }[]>`
    select sealed_client_secret as sealed from servers where id = ${server.id}`;
  if (!row?.sealed) return undefined;
  return vault.open(row.sealed, clientSecretField(server));
}

interface GrantRow extends Omit<OAuthGrant, 'issuer' | 'secrets'>, Nullable<GrantIssuer> {
  readonly sealedTokens: Buffer;
}

type Nullable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null };

function grantOf(vault: Vault, row: GrantRow): OAuthGrant {
  const { sealedTokens, issuer, tokenEndpoint, clientAuthentication, ...plain } = row;
  const found =
    issuer === null || tokenEndpoint === null || clientAuthentication === null
      ? null
      : { issuer, tokenEndpoint, clientAuthentication };
  const grant = { ...plain, issuer: found };
  const secrets = JSON.parse(vault.open(sealedTokens, tokensField(grant))) as GrantSecrets;
  return { ...grant, secrets };
}

/**
 * Binds the sealed tokens to their server and their permitted targets, so that they cannot be
 * opened in any other row.
 */
export function tokensField(grant: {
  readonly organizationId: string;
  readonly serverId: string;
  readonly origin: string;
  readonly issuer: Pick<GrantIssuer, 'issuer' | 'tokenEndpoint'> | null;
}): SealedField {
  const bound = [grant.origin, grant.issuer?.issuer ?? '', grant.issuer?.tokenEndpoint ?? ''];
  return {
    organizationId: grant.organizationId,
    rowId: grant.serverId,
    field: `oauthTokens ${JSON.stringify(bound)}`,
  };
}

function afterNow(sql: Sql, ms: number | null): Fragment {
  return ms === null ? sql`null` : sql`now() + ${ms}::float8 * interval '1 millisecond'`;
}

function msUntil(sql: Sql, moment: Fragment, start: Fragment = sql`now()`): Fragment {
  return sql`(extract(epoch from ${moment} - ${start}) * 1000)::float8`;
}
