import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

interface Made {
  readonly id: string;
  readonly name: string;
}

async function make(kind: string, body: object): Promise<Made & Record<string, string>> {
  const answer = await ask('POST', kind, { name: unique(kind), ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const saveServer = () =>
  make('servers', { enabled: true, transportType: 'http', url: 'https://mcp.example/mcp' });
const remove = (serverId: string) => ask('DELETE', `servers/${serverId}`);
const config = (serverId: string, more: object = {}) => ({
  config: { modelId: 'acme/one', serverIds: [serverId], ...more },
});
const suite = async (serverId: string) => {
  const tests = [{ title: 'One', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }] }];
  const made = await make('eval-suites', { serverIds: [serverId], model: 'a/b', tests });
  return { id: made['suiteId'] as string, name: made.name };
};
const environment = (body: object) => make('environments', { hostId: tenant.hostId, ...body });

type Users = Record<'suites' | 'clients' | 'environments', readonly Made[]>;
const nobody: Users = { suites: [], clients: [], environments: [] };

describe('a server is not deleted while it is used', () => {
  test.each<
    [string, (serverId: string) => Promise<{ users: Users; free: () => Promise<unknown> }>]
  >([
    [
      'by a suite',
      async (serverId) => {
        const { id, name } = await suite(serverId);
        const free = () => ask('DELETE', `eval-suites/${id}`);
        return { users: { ...nobody, suites: [{ id, name }] }, free };
      },
    ],
    [
      'by a client',
      async (serverId) => {
        const { id, name } = await make('clients', config(serverId));
        const free = () => ask('DELETE', `clients/${id}`);
        return { users: { ...nobody, clients: [{ id, name }] }, free };
      },
    ],
    [
      'by a client that can do without',
      async (serverId) => {
        const optional = { serverIds: [], optionalServerIds: [serverId] };
        const { id, name } = await make('clients', config(serverId, optional));
        const free = () => ask('DELETE', `clients/${id}`);
        return { users: { ...nobody, clients: [{ id, name }] }, free };
      },
    ],
    [
      'by the group of an environment',
      async (serverId) => {
        const group = await make('server-attachments', { serverIds: [serverId] });
        const { id, name } = await environment({ serverAttachmentId: group.id });
        const free = () => ask('POST', `environments/${id}/archive`, { expectedRevision: 1 });
        return { users: { ...nobody, environments: [{ id, name }] }, free };
      },
    ],
    [
      'by a plugin of an environment',
      async (serverId) => {
        const plugin = await make('plugins', { serverIds: [serverId] });
        const pluginVersionIds = [plugin['activeVersionId']];
        const { id, name } = await environment({ pluginVersionIds });
        const free = () => ask('POST', `environments/${id}/archive`, { expectedRevision: 1 });
        return { users: { ...nobody, environments: [{ id, name }] }, free };
      },
    ],
    [
      'by the client of an environment',
      async (serverId) => {
        const client = await make('clients', config(serverId));
        const { id, name } = await environment({ hostId: client.id });
        const clients = [{ id: client.id, name: client.name }];
        const free = async () => {
          await ask('POST', `environments/${id}/archive`, { expectedRevision: 1 });
          await ask('DELETE', `clients/${client.id}`);
        };
        return { users: { ...nobody, clients, environments: [{ id, name }] }, free };
      },
    ],
  ])('%s', async (_how, use) => {
    const server = await saveServer();
    const { users, free } = await use(server.id);
    const refused = await remove(server.id);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 409,
      body: {
        code: 'CONFLICT',
        message: expect.stringContaining(Object.values(users).flat()[0]?.name as string),
        details: { reason: 'IN_USE', ...users },
      },
    });
    await free();
    expect((await remove(server.id)).status).toBe(200);
  });

  test('nobody uses it who only stands beside one that is used', async () => {
    const [used, free] = [await saveServer(), await saveServer()];
    await suite(used.id);
    await make('server-attachments', { serverIds: [free.id] });
    expect((await remove(free.id)).status).toBe(200);
  });
});

test('a suite that is being made keeps its server, and the one who deletes waits for it', async () => {
  const server = await saveServer();
  const { going } = await service.owner.transaction(async (sql) => {
    // With the table locked, the creation of a suite checks its server and then waits.
    await sql`lock table eval_suites in share row exclusive mode`;
    const writing = suite(server.id);
    await untilWaiting(sql, 1);
    const deleting = remove(server.id);
    await Promise.race([untilWaiting(sql, 2), deleting]);
    return { going: Promise.all([writing, deleting]) };
  });
  const [, deleted] = await going;
  expect(deleted.status).toBe(409);
});
