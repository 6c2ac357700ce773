import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import * as servers from '../store/servers.ts';
import { findServer } from './find-server.ts';
import { presentServer } from './present-server.ts';
import { refuseBlockedUrls } from './refuse-blocked-urls.ts';
import { serverNameTaken } from './server-name-taken.ts';

export const createProjectServer: Action<'createProjectServer', ServersParts> = async (
  context,
  { body },
) => {
  const { project, database } = context;
  refuseBlockedUrls(context, body);
  const write: servers.ServerWrite = {
    id: context.newId('server'),
    organizationId: project.organizationId,
    projectId: project.id,
    name: body.name,
    enabled: body.enabled,
    url: body.url,
    timeoutMs: body.timeout ?? null,
    maxMessageMiB: body.maxMessageMiB ?? null,
    clientCapabilities: body.clientCapabilities ?? null,
    useOAuth: body.useOAuth ?? false,
    oauthScopes: body.oauthScopes ?? [],
    oauthResourceUrl: body.oauthResourceUrl ?? null,
    clientId: body.clientId ?? null,
    headers:
      body.headers === undefined ? { kind: 'drop' } : { kind: 'replace', value: body.headers },
    clientSecret:
      body.clientSecret === undefined
        ? { kind: 'drop' }
        : { kind: 'replace', value: body.clientSecret },
  };
  return context.tenant(async (sql) => {
    if ((await servers.insertServer(sql, database.vault, write)) === 'nameTaken')
      refuse(serverNameTaken);
    const fields = Object.keys(body);
    await recordAudit(sql, context, {
      action: 'server.created',
      subjectId: write.id,
      details: { fields },
    });
    return presentServer(await findServer(sql, database, project.id, write.id));
  });
};
