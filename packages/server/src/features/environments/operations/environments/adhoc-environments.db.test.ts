/**
 * Tests unnamed environments: one per combination of settings, unlisted until it gets a name, and
 * usable by suites.
 */
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTemplateClient, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  ask = projectCaller(service, tenant);
});
afterAll(() => service.stop());

const ensure = (body: object = {}) =>
  ask('POST', 'environments/ensure-adhoc', { hostId: tenant.hostId, ...body });
const listed = async () =>
  (await ask('GET', 'environments?includeArchived=true')).body.items.map(
    ({ id }: { id: string }) => id,
  );

test('capabilities say that environments state models, and that there may be one for each', async () => {
  expect((await ask('GET', 'environments/capabilities')).body).toEqual({
    modelOverrides: true,
    modelMatrix: true,
  });
});

test('the same combination is the same environment, also when many ask at once', async () => {
  const body = { modelId: unique('a/b'), serverAttachmentId: tenant.serverAttachmentId };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ensure(body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(answers.filter((one) => one.body.created)).toHaveLength(1);
  expect(new Set(answers.map((one) => one.body.environment.id)).size).toBe(1);
  expect(answers[0]?.body.environment).toEqual({
    id: expect.stringMatching(/^env_/),
    projectId: tenant.projectId,
    name: null,
    adhoc: true,
    hostId: tenant.hostId,
    ...body,
    revision: 1,
    archived: false,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  });
  const { environment, created } = (await ensure({ modelId: unique('a/b') })).body;
  expect(created).toBe(true);
  expect(environment.id).not.toBe(answers[0]?.body.environment.id);
});

test('it is read by its id, resolved, and neither listed nor edited', async () => {
  const modelId = unique('a/b');
  const { id } = (await ensure({ modelId, serverAttachmentId: tenant.serverAttachmentId })).body
    .environment;
  expect((await ask('GET', `environments/${id}`)).body).toMatchObject({
    adhoc: true,
    name: `Ad hoc: Default client, ${modelId}`,
  });
  expect((await ask('GET', `environments/${id}/resolve`)).body).toMatchObject({
    effectiveModelId: modelId,
    effectiveServerIds: [tenant.serverId],
  });
  expect(await listed()).not.toContain(id);
  const edit = { expectedRevision: 1, modelId: 'c/d' };
  expect(await ask('PATCH', `environments/${id}`, edit)).toMatchObject({
    status: 409,
    body: { details: { reason: 'ENVIRONMENT_ADHOC' } },
  });
});

test('named, it is listed, keeps its name to itself, and another may be made in its place', async () => {
  const body = { modelId: unique('a/b') };
  const { id } = (await ensure(body)).body.environment;
  const name = unique('Staging');
  const naming = { expectedRevision: 1, name, description: 'Kept.' };
  const named = await ask('POST', `environments/${id}/name`, naming);
  expect(named.status, named.text).toBe(200);
  expect(named.body).toMatchObject({ id, name, description: 'Kept.', revision: 2 });
  expect(named.body).not.toHaveProperty('adhoc');
  expect(await listed()).toContain(id);
  expect(
    await ask('POST', `environments/${id}/name`, { ...naming, expectedRevision: 2 }),
  ).toMatchObject({ status: 409, body: { details: { reason: 'ENVIRONMENT_NAMED' } } });
  const next = (await ensure(body)).body;
  expect(next).toMatchObject({ created: true });
  const taken = { expectedRevision: 1, name: name.toUpperCase() };
  expect(await ask('POST', `environments/${next.environment.id}/name`, taken)).toMatchObject({
    status: 409,
    body: { details: { reason: 'NAME_TAKEN' } },
  });
});

test('it keeps nothing from being deleted', async () => {
  const hostId = await createTemplateClient(service, tenant, unique('Gone'));
  const group = await ask('POST', 'server-attachments', {
    name: unique('Group'),
    serverIds: [tenant.serverId],
  });
  const { id } = (await ensure({ hostId, serverAttachmentId: group.body.id })).body.environment;
  expect((await ask('DELETE', `server-attachments/${group.body.id}`)).status).toBe(200);
  expect((await ask('DELETE', `clients/${hostId}`)).status).toBe(200);
  expect(await ask('GET', `environments/${id}/resolve`)).toMatchObject({
    status: 409,
    body: { details: { code: 'ENV_HOST_NOT_FOUND' } },
  });
});

test('one more environment is attached to a suite, once, and those before it stay', async () => {
  const made = await ask('POST', 'eval-suites', {
    name: unique('Suite'),
    serverIds: [tenant.serverId],
    model: 'a/b',
    tests: [{ title: 'Rain', steps: [{ id: 's', kind: 'prompt', prompt: 'Rain?' }] }],
  });
  const { suiteId } = made.body;
  const attach = (environmentId: string) =>
    ask('POST', `eval-suites/${suiteId}/environments`, { environmentId });
  const { id } = (await ensure({ modelId: unique('a/b') })).body.environment;
  const first = await attach(tenant.environmentId);
  expect(first.status, first.text).toBe(200);
  expect(first.body).toEqual({
    suiteId,
    attached: true,
    environmentIds: [tenant.environmentId],
  });
  const both = [tenant.environmentId, id];
  expect((await attach(id)).body).toEqual({ suiteId, attached: true, environmentIds: both });
  expect((await attach(id)).body).toEqual({ suiteId, attached: false, environmentIds: both });
  expect((await ask('GET', `eval-suites/${suiteId}`)).body.environmentIds).toEqual(both);
  const { content, warnings } = (await ask('GET', `eval-suites/${suiteId}/export`)).body;
  expect(content).not.toContain('Ad hoc');
  expect(warnings).toContain(
    'The file format has no place for environments without a name; importing the file into this suite keeps the stored value.',
  );
  const archived = (await ensure({ modelId: unique('a/b') })).body.environment;
  await ask('POST', `environments/${archived.id}/archive`, { expectedRevision: 1 });
  expect(await attach(archived.id)).toMatchObject({
    status: 400,
    body: { details: { path: 'body.environmentId', reason: 'ENVIRONMENT_ARCHIVED' } },
  });
});
