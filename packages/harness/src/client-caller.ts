import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { insertEnvironment } from '../../server/src/features/environments/store/environments.ts';
import { unique } from './reporter.ts';
import { call, type TestAnswer, type TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export const leastConfig = { modelId: 'acme/model-1' };

export function createClientCaller(
  service: TestService,
  tenant: Tenant,
  options: { readonly projectId?: string; readonly path?: 'clients' | 'hosts' } = {},
) {
  const { projectId = tenant.projectId, path = 'clients' } = options;
  const project = `${service.baseUrl}/api/v1/projects/${projectId}`;
  const url = (reference?: string, rest = '') =>
    `${project}/${path}${reference === undefined ? '' : `/${encodeURIComponent(reference)}`}${rest}`;
  const send = (method: string, to: string, body?: unknown, key = tenant.key) =>
    call(to, { method, key, ...(body !== undefined && { body }) });
  return {
    url,
    list: (query = '') => send('GET', `${url()}${query}`),
    create: (body: object = {}, key?: string) =>
      send('POST', url(), { name: unique('Client'), config: leastConfig, ...body }, key),
    /** Sends the body without adding defaults, so the body must name the source of the client. */
    createFrom: (body: object) => send('POST', url(), body),
    read: (reference: string, key?: string) => send('GET', url(reference), undefined, key),
    edit: (reference: string, body: unknown, key?: string) =>
      send('PATCH', url(reference), body, key),
    remove: (reference: string, key?: string) => send('DELETE', url(reference), undefined, key),
    setServers: (reference: string, body: unknown, key?: string) =>
      send('POST', url(reference, '/servers'), body, key),
    duplicate: (reference: string, body: unknown = {}, key?: string) =>
      send('POST', url(reference, '/duplicate'), body, key),
    async saveServer(): Promise<string> {
      const body = { enabled: true, transportType: 'http', url: 'https://mcp.example/mcp' };
      const saved = await send('POST', `${project}/servers`, { name: unique('Server'), ...body });
      return saved.body.id;
    },
    async saveSkill(): Promise<string> {
      const body = { name: unique('Skill'), content: 'Answer in one sentence.' };
      return (await send('POST', `${project}/skills`, body)).body.id;
    },
    /**
     * Deletes a server that clients still use. Earlier versions allowed this, so clients without
     * their server exist in old databases.
     */
    removeServer: (serverId: string) =>
      service.owner.sql`delete from servers where id = ${serverId}`,
    async makeEnvironment(clientId: string, archivedAt: Date | null = null): Promise<void> {
      await service.database.tenant([tenant.organizationId], (sql) =>
        insertEnvironment(sql, tenant.organizationId, {
          id: makeId('environment', Date.now(), randomBytes(10)),
          projectId,
          name: unique('Environment'),
          description: null,
          hostId: clientId,
          serverAttachmentId: null,
          modelId: null,
          skillSelection: null,
          pluginVersionIds: null,
          sandboxImageId: null,
          revision: 1,
          archivedAt,
        }),
      );
    },
    /** The whole stored row, so that a comparison detects any write. */
    async stored(clientId: string) {
      const [row] = await service.owner.sql`select * from clients where id = ${clientId}`;
      return row;
    },
    audited: (clientId: string) => service.owner.sql<{ action: string; details: string | null }[]>`
      select action, details from audit_log where subject_id = ${clientId} order by id`,
  };
}

export type ClientCaller = ReturnType<typeof createClientCaller>;

export async function createProject(service: TestService, tenant: Tenant): Promise<string> {
  const made = await call(`${service.baseUrl}/api/v1/projects`, {
    method: 'POST',
    key: tenant.key,
    body: { name: unique('Project') },
  });
  return made.body.id;
}

export function refusal({ status, body }: TestAnswer) {
  return { status, code: body?.code, details: body?.details };
}
