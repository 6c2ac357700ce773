/**
 * A grant (the OAuth tokens of a server) is used only for the origin it was imported for, and only
 * while the server uses OAuth.
 */
import type { SavedServer } from '@proofmark/domain';
import type { AccessTokens } from '../../../outside/mcp/mcp-target.ts';
import { grantAccess } from '../../../outside/mcp/oauth/grant-access.ts';
import type { Grant, GrantStore } from '../../../outside/mcp/oauth/grant-store.ts';
import type { PendingRenewals } from '../../../outside/mcp/oauth/renew-grant.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import * as grants from '../store/oauth-grants.ts';

export interface GrantTokens extends AccessTokens {
  /**
   * Changes with every import but not with renewals. It is part of a session's identity, so two
   * imports never share a session.
   */
  readonly importId: string;
}

export interface GrantDependencies {
  readonly database: Database;
  readonly mcp: { readonly fetch: typeof fetch };
  /**
   * The duration of the renewal lease in milliseconds. Tests shorten it, so that they do not wait
   * long after a process died.
   */
  readonly leaseMs?: number;
}

export async function grantTokens(
  { database, mcp, leaseMs }: GrantDependencies,
  server: Pick<SavedServer, 'id' | 'organizationId' | 'projectId' | 'url' | 'useOAuth'>,
): Promise<GrantTokens | undefined> {
  if (server.url === null || !server.useOAuth) return undefined;
  const { origin } = new URL(server.url);
  const ids = { ...server, serverId: server.id };
  const found = await database.tenant([server.organizationId], (sql) =>
    grants.findGrant(sql, database.vault, ids),
  );
  if (found === undefined || found.origin !== origin) return undefined;
  const store = grantStore(database, found);
  const dependencies = {
    store,
    fetch: mcp.fetch,
    pendingRenewals: pendingRenewalsOf(mcp.fetch),
    ...(leaseMs && { leaseMs }),
  };
  return { importId: found.importId, ...grantAccess(dependencies, usable(found)) };
}

/**
 * Waits for pending renewals. Must run before the database is closed: a renewal that was not stored
 * may make the grant useless.
 */
export async function finishRenewals(mcp: GrantDependencies['mcp']): Promise<void> {
  await Promise.allSettled(pendingRenewalsOf(mcp.fetch).values());
}

/** The pending renewals of each guarded `fetch`. A process has only one such `fetch`. */
const pendingRenewals = new WeakMap<typeof fetch, PendingRenewals>();

function pendingRenewalsOf(guardedFetch: typeof fetch): PendingRenewals {
  const known = pendingRenewals.get(guardedFetch) ?? new Map();
  pendingRenewals.set(guardedFetch, known);
  return known;
}

function grantStore(database: Database, imported: grants.OAuthGrant): GrantStore {
  const { vault } = database;
  const { importId, organizationId } = imported;
  const { clientSecret } = imported.secrets;
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    database.tenant([organizationId], work);
  return {
    importId,
    async read() {
      const found = await tenant((sql) => grants.findGrant(sql, vault, imported));
      return found?.importId === importId ? usable(found) : undefined;
    },
    takeLease: (revision, holder, durationMs) =>
      tenant((sql) =>
        grants.takeRefreshLease(sql, { ...imported, revision }, { holder, durationMs }),
      ),
    async save(holder, { accessToken, refreshToken, lifetimeMs, scope }) {
      const secrets = { accessToken, refreshToken, ...(clientSecret && { clientSecret }) };
      const renewed = { secrets, lifetimeMs, scope };
      await tenant((sql) => grants.saveRefreshed(sql, vault, imported, holder, renewed));
    },
    end: (holder) => tenant((sql) => grants.endGrant(sql, vault, imported, holder)),
    postpone: (holder, pauseMs) =>
      tenant((sql) => grants.postponeRefresh(sql, imported, holder, pauseMs)),
  };
}

function usable(found: grants.OAuthGrant): Grant | undefined {
  if (found.state === 'over') return undefined;
  const { secrets, issuer, clientId, resource } = found;
  const { clientSecret } = secrets;
  return {
    accessToken: secrets.accessToken,
    ...(secrets.refreshToken && { refreshToken: secrets.refreshToken }),
    ...(issuer && {
      renewal: { ...issuer, clientId, resource, ...(clientSecret && { clientSecret }) },
    }),
    scope: found.scope,
    revision: found.revision,
    renewed: found.revision > 1,
    ageMs: found.ageMs,
    expiresInMs: found.expiresInMs,
    refreshingForMs: found.refreshingForMs,
    failures: found.failures,
    refreshAgainInMs: found.refreshAgainInMs,
  };
}
