import { credentialChange, sameOrigin } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import { dropGrant } from '../store/oauth-grants.ts';
import { forgetServerHealth } from '../store/server-health.ts';
import * as servers from '../store/servers.ts';
import { findEditableServer, findServer } from './find-server.ts';
import { presentServer } from './present-server.ts';
import { refuseBlockedUrls } from './refuse-blocked-urls.ts';
import { serverNameTaken } from './server-name-taken.ts';
import { unmaskUrl } from './unmask-url.ts';

export const updateProjectServer: Action<'updateProjectServer', ServersParts> = async (
  context,
  { params, body },
) => {
  const { project, database } = context;
  refuseBlockedUrls(context, body);
  const updated = await context.tenant(async (sql) => {
    const stored = await findEditableServer(sql, database, project.id, params.serverId);
    const url = unmaskUrl('body.url', body.url, stored.url) ?? stored.url;
    const oauthResourceUrl = given(
      unmaskUrl('body.oauthResourceUrl', body.oauthResourceUrl, stored.oauthResourceUrl),
      stored.oauthResourceUrl,
    );
    const write: servers.ServerWrite = {
      ...stored,
      name: body.name ?? stored.name,
      enabled: body.enabled ?? stored.enabled,
      url,
      timeoutMs: given(body.timeout, stored.timeoutMs),
      maxMessageMiB: given(body.maxMessageMiB, stored.maxMessageMiB),
      clientCapabilities: given(body.clientCapabilities, stored.clientCapabilities),
      useOAuth: body.useOAuth ?? stored.useOAuth,
      oauthScopes: body.oauthScopes ?? stored.oauthScopes,
      oauthResourceUrl,
      clientId: given(body.clientId, stored.clientId),
      headers: credentialChange({
        storedUrls: [stored.url],
        nextUrls: [url],
        given: body.headers,
        clear: false,
      }),
      // The client secret is sent to the resource too (default: the server itself), so the server's
      // and the resource's address both decide whether the secret is kept.
      clientSecret: credentialChange({
        storedUrls: [stored.url, resourceOf(stored)],
        nextUrls: [url, resourceOf({ url, oauthResourceUrl })],
        given: body.clientSecret,
        clear: body.clearClientSecret === true,
      }),
    };
    if ((await servers.updateServer(sql, database.vault, write)) === 'nameTaken')
      refuse(serverNameTaken);
    if (!sameOrigin(stored.url, url) || !sameOrigin(resourceOf(stored), resourceOf(write))) {
      await dropGrant(sql, { projectId: project.id, serverId: stored.id });
    }
    const fields = Object.keys(body);
    if (fields.some((field) => !unsentFields.includes(field)))
      await forgetServerHealth(sql, stored);
    await recordAudit(sql, context, {
      action: 'server.updated',
      subjectId: stored.id,
      details: { fields },
    });
    return presentServer(await findServer(sql, database, project.id, stored.id));
  });
  context.mcp.forget(params.serverId);
  return updated;
};

/**
 * Fields that the server never receives. A change of them cannot change its answers, so the stored
 * health is kept.
 */
const unsentFields = ['name', 'enabled'];

/** Returns the resource's address (default: the address of the server itself). */
function resourceOf(server: {
  readonly url: string | null;
  readonly oauthResourceUrl: string | null;
}): string | null {
  return server.oauthResourceUrl ?? server.url;
}

/**
 * Returns the new value of a field. `null` clears the field; an absent field keeps its stored
 * value.
 */
function given<Value>(sent: Value | undefined, stored: Value): Value {
  return sent === undefined ? stored : sent;
}
