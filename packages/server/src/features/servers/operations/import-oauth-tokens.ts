/**
 * Imports OAuth tokens for the server's saved address. The issuer of a refresh token is discovered
 * now and bound to the tokens permanently; if no issuer is found, the import is rejected. The
 * writing transaction reads the server again, because it may have changed meanwhile.
 */

import type { BodyOf } from '@proofmark/contract';
import {
  clientAuthentication,
  invalid,
  isSendableToken,
  lifetimeMsOf,
  maskUrl,
  type SavedServer,
} from '@proofmark/domain';
import { McpFailure } from '../../../outside/mcp/mcp-failure.ts';
import { discoverIssuer, type FoundIssuer } from '../../../outside/mcp/oauth/discover-issuer.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts, ServersProject } from '../servers-context.ts';
import * as grants from '../store/oauth-grants.ts';
import { findServer } from './find-server.ts';
import { orRefusal } from './speak-to-server.ts';
import { unmaskUrl } from './unmask-url.ts';

type Body = BodyOf<'importOAuthTokens'>;

export const importOAuthTokens: Action<'importOAuthTokens', ServersParts> = async (
  context,
  { params, body },
) => {
  const { project, database } = context;
  if (!isSendableToken(body.tokens.access_token)) {
    refuse(
      invalid(
        'body.tokens.access_token',
        'The access token contains characters that HTTP does not allow.',
      ),
    );
  }
  const before = await context.tenant((sql) =>
    findServer(sql, database, project.id, params.serverId),
  );
  const url = refuseOtherAddress(context, before, body);
  const resource =
    unmaskUrl('body.oauthResourceUrl', body.oauthResourceUrl, before.oauthResourceUrl) ??
    before.oauthResourceUrl;
  const issuer =
    body.tokens.refresh_token === undefined
      ? undefined
      : await orRefusal(findIssuer(context, url, resource));
  const stored = await context.tenant(async (sql) => {
    const server = await findServer(sql, database, project.id, params.serverId, 'forUpdate');
    refuseOtherAddress(context, server, body);
    const client = await clientOf(context, sql, server, body);
    const { access_token: accessToken, refresh_token: refreshToken } = body.tokens;
    const hasSecret = client.clientSecret !== undefined;
    const write: grants.GrantWrite = {
      organizationId: server.organizationId,
      projectId: server.projectId,
      serverId: server.id,
      origin: new URL(url).origin,
      issuer: issuer
        ? {
            issuer: issuer.issuer,
            tokenEndpoint: issuer.tokenEndpoint,
            clientAuthentication: clientAuthentication(hasSecret, issuer.authentications),
          }
        : null,
      clientId: client.clientId,
      resource: resource ?? issuer?.resource ?? null,
      scope: body.tokens.scope ?? null,
      secrets: {
        accessToken,
        // The refresh token and client secret are stored only with an issuer, because only renewals
        // at an issuer use them.
        ...(issuer && refreshToken && { refreshToken }),
        ...(issuer && client.clientSecret && { clientSecret: client.clientSecret }),
      },
      lifetimeMs: lifetimeMsOf(body.tokens.expires_in),
    };
    const grant = await grants.replaceGrant(sql, database.vault, write);
    await grants.useOAuthFromNowOn(sql, write);
    await recordAudit(sql, context, { action: 'server.tokensImported', subjectId: server.id });
    return grant;
  });
  context.mcp.forget(params.serverId);
  return { imported: true, expiresAt: stored.expiresAt?.getTime() ?? null };
};

/**
 * Returns the saved address if the body states it, either as stored or as shown with masks. Rejects
 * other addresses.
 */
function refuseOtherAddress(context: ServersProject, server: SavedServer, body: Body): string {
  if (server.url === null) {
    return refuse({
      code: 'CONFLICT',
      message: 'The operator starts this server as a program, so it accepts no OAuth tokens.',
      details: { reason: 'STDIO_SERVER' },
    });
  }
  const isSaved = [server.url, maskUrl(server.url)].some((url) =>
    isSameAddress(body.serverUrl, url),
  );
  if (!isSaved) {
    refuse(
      invalid(
        'body.serverUrl',
        'The tokens were issued for a different address than the saved address of this server; save that address first.',
      ),
    );
  }
  for (const name of ['serverUrl', 'oauthResourceUrl'] as const) {
    const url = body[name];
    if (url === undefined || context.mayReach(url)) continue;
    const message =
      'The service is not allowed to call this address; use a public address, or ask the operator to allow it.';
    refuse(invalid(`body.${name}`, message, { reason: 'EGRESS_BLOCKED' }));
  }
  return server.url;
}

/** Ignores the query and a final slash, because the server is the same without them. */
function isSameAddress(given: string, saved: string): boolean {
  if (!URL.canParse(given)) return false;
  const plain = ({ origin, pathname }: URL) => `${origin}${pathname.replace(/\/$/, '')}`;
  return plain(new URL(given)) === plain(new URL(saved));
}

async function findIssuer(
  context: ServersProject,
  url: string,
  resource: string | null,
): Promise<FoundIssuer> {
  const { mcp, signal } = context;
  const found = await discoverIssuer({ fetch: mcp.fetch, signal }, url, resource);
  if (context.mayReach(found.tokenEndpoint)) return found;
  throw new McpFailure(
    'SERVER_UNREACHABLE',
    'The authorization server names a token endpoint that this service is not allowed to call; ask the operator to allow the address of the endpoint.',
    { reason: 'EGRESS_BLOCKED' },
  );
}

/**
 * Returns the OAuth client of the tokens: the one in the request, or else the saved one. A saved
 * secret is used only for the client that it was saved for.
 */
async function clientOf(
  { database }: ServersProject,
  sql: Sql,
  server: SavedServer,
  { clientInformation: given }: Body,
): Promise<{ clientId: string | null; clientSecret: string | undefined }> {
  const clientId = given?.clientId ?? server.clientId;
  const isSaved = clientId === server.clientId;
  const clientSecret =
    given?.clientSecret ??
    (isSaved ? await grants.openSavedClientSecret(sql, database.vault, server) : undefined);
  return { clientId, clientSecret };
}
