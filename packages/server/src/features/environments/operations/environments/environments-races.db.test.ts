/**
 * Tests concurrent writers: if several requests expect the same revision, one succeeds. A part that
 * an environment uses cannot be deleted.
 */

import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTemplateClient, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { whileRowIsHeld } from '@proofmark/harness/while-row-is-held.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let second: { baseUrl: string; stop(): Promise<void> };
let tenant: Tenant;
let ask: ProjectCaller;
let askSecond: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  second = await service.another();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
  askSecond = projectCaller(second, tenant);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

async function make(kind: string, body: object) {
  const answer = await ask('POST', kind, { name: unique(kind), ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}
const savedServer = { enabled: true, transportType: 'http', url: 'https://mcp.example/mcp' };
const place = () => ({ organization_id: tenant.organizationId, project_id: tenant.projectId });
const environment = (body: object = {}) => make('environments', { hostId: tenant.hostId, ...body });
const twenty = <Result>(work: (ask: ProjectCaller, at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: 20 }, (_, at) => work(at % 2 ? ask : askSecond, at)));
const statuses = (answers: readonly { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const lines = async (id: string) =>
  (await service.owner.sql`select from audit_log where subject_id = ${id}`).length;

test('of twenty edits from one revision one wins each round, and the others learn the new revision', async () => {
  const { id } = await environment();
  for (let revision = 1; revision <= 4; revision += 1) {
    const answers = await whileRowIsHeld(service, { table: 'environments', id }, () =>
      twenty((asker, at) =>
        asker('PATCH', `environments/${id}`, {
          expectedRevision: revision,
          modelId: `round-${revision}/${at}`,
        }),
      ),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect((await ask('GET', `environments/${id}`)).body).toEqual(winner);
    expect(winner.revision).toBe(revision + 1);
    for (const { status, body } of answers)
      if (status === 409) expect(body.details).toEqual({ currentRevision: revision + 1 });
    expect(await lines(id)).toBe(revision + 1);
  }
});

test('edits, archiving and restoring from one revision exclude each other', async () => {
  const { id } = await environment();
  const answers = await whileRowIsHeld(service, { table: 'environments', id }, () =>
    twenty((asker, at) =>
      at % 4 < 2
        ? asker('PATCH', `environments/${id}`, { expectedRevision: 1, modelId: 'a/b' })
        : asker('POST', `environments/${id}/archive`, { expectedRevision: 1 }),
    ),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
});

describe('a name', () => {
  test('goes to one of twenty who take it at once, whatever the case', async () => {
    const name = unique('Race');
    const answers = await twenty((asker, at) =>
      asker('POST', 'environments', {
        name: at % 3 ? name : name.toUpperCase(),
        hostId: tenant.hostId,
      }),
    );
    expect(statuses(answers)).toEqual({ 201: 1, 409: 19 });
  });

  test('goes to one of twenty archived environments that are restored at once', async () => {
    const name = unique('Race');
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      const { id } = await environment({ name });
      await ask('POST', `environments/${id}/archive`, { expectedRevision: 1 });
      ids.push(id);
    }
    const answers = await twenty((asker, at) =>
      asker('POST', `environments/${ids[at]}/restore`, { expectedRevision: 2 }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  });

  test('two that swap their names are both refused, and neither waits for the other', async () => {
    const [one, other] = [await environment(), await environment()];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        ask('PATCH', `environments/${one.id}`, { expectedRevision: 1, name: other.name }),
        askSecond('PATCH', `environments/${other.id}`, { expectedRevision: 1, name: one.name }),
      ]);
      expect(statuses(answers)).toEqual({ 409: 2 });
    }
  });
});

describe('what an environment is being made to use is not deleted meanwhile', () => {
  test.each([
    [
      'clients',
      async () => {
        const id = await createTemplateClient(service, tenant, unique('C'));
        return { id, fields: { hostId: id } };
      },
    ],
    [
      'server-attachments',
      async () => {
        const { id } = await make('server-attachments', { serverIds: [tenant.serverId] });
        return { id, fields: { serverAttachmentId: id } };
      },
    ],
    [
      'servers',
      async () => {
        const { id } = await make('servers', savedServer);
        const group = await make('server-attachments', { serverIds: [id] });
        return { id, fields: { serverAttachmentId: group.id } };
      },
    ],
    [
      'servers',
      async () => {
        const { id } = await make('servers', savedServer);
        const plugin = await make('plugins', { serverIds: [id] });
        return { id, fields: { pluginVersionIds: [plugin.activeVersionId] } };
      },
    ],
    [
      'skills',
      async () => {
        const { id } = await make('skills', { content: 'Text.' });
        return { id, fields: { skillSelection: { mode: 'explicit', skillIds: [id] } } };
      },
    ],
    [
      'plugins',
      async () => {
        const plugin = await make('plugins', { serverIds: [tenant.serverId] });
        return { id: plugin.id, fields: { pluginVersionIds: [plugin.activeVersionId] } };
      },
    ],
    [
      'skills',
      async () => {
        const { id } = await make('skills', { content: 'Text.' });
        const plugin = await make('plugins', { serverIds: [tenant.serverId], skillIds: [id] });
        return { id, fields: { pluginVersionIds: [plugin.activeVersionId] } };
      },
    ],
  ])('%s', async (kind, prepare) => {
    const { id, fields } = await prepare();
    const body = { name: unique('E'), hostId: tenant.hostId, ...fields };
    const { going } = await service.owner.transaction(async (sql) => {
      // This transaction inserts the name first. The request checks its references and then waits
      // for this transaction.
      const other = {
        id: unique('env'),
        name: body.name,
        comparable_name: body.name.toLowerCase(),
      };
      await sql`insert into environments ${sql({ ...other, ...place(), host_id: 'x', revision: 1 })}`;
      const writing = ask('POST', 'environments', body);
      await untilWaiting(sql, 1);
      const deleting = askSecond('DELETE', `${kind}/${id}`);
      await Promise.race([untilWaiting(sql, 2), deleting]);
      await sql`delete from environments where id = ${other.id}`;
      return { going: Promise.all([writing, deleting]) };
    });
    expect((await going).map(({ status }) => status)).toEqual([201, 409]);
    expect((await ask('GET', `${kind}/${id}`)).status).toBe(200);
  });
});
