import { createHash } from 'node:crypto';
import { createLauncher, weatherSteps } from '@proofmark/harness/launcher.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const day = 86_400_000;

let service: TestService;
let tenant: Tenant;
let outsider: Tenant;
let member: { key: string };
let suiteId: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  outsider = await createTenant(service, 'other');
  member = await createMember(service, tenant, 'member', 'member');
});
afterAll(() => service.stop());
beforeEach(async () => {
  const tests = Array.from({ length: 10 }, (_, at) => ({
    id: `case-${at}`,
    title: `Weather ${at}`,
    steps: weatherSteps,
  }));
  suiteId = await createLauncher(service, tenant).suite({ tests });
});

const urlOf = (suite = suiteId) =>
  `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${suite}/quarantine`;
const create = (body: object = {}, key = tenant.key) =>
  call(urlOf(), {
    method: 'POST',
    key,
    body: {
      caseId: 'case-0',
      owner: 'Mika',
      reason: 'Races',
      expiresAt: Date.now() + day,
      ...body,
    },
  });
const list = async (suite = suiteId, key = tenant.key) => (await call(urlOf(suite), { key })).body;
const remove = (entryId: string, key = tenant.key, suite = suiteId) =>
  call(`${urlOf(suite)}/${entryId}`, { method: 'DELETE', key });
const audited = () => service.owner.sql`
  select action, subject_id from audit_log where action like 'quarantine.%' and details like ${`%${suiteId}%`}
  order by id`;

describe('over the API', () => {
  test('an entry is made, listed and lifted, and both are in the audit log', async () => {
    const made = await create({ owner: ' Mika ' });
    expect(made.status).toBe(201);
    const { entry } = made.body;
    expect(made.body.status).toBe('created');
    expect(entry).toMatchObject({
      caseId: 'case-0',
      model: null,
      owner: 'Mika',
      reason: 'Races',
      daysLeft: 1,
      source: 'api',
      state: 'inForce',
      createdByEmail: 'owner@acme.example',
      title: 'Weather 0',
      decisionCaseIds: ['case-0'],
    });
    expect(await list()).toEqual({ items: [entry], most: 2 });
    expect((await remove(entry.id)).body).toMatchObject({
      status: 'removed',
      entry: { id: entry.id },
    });
    expect((await remove(entry.id)).body.status).toBe('already_removed');
    expect((await list()).items).toEqual([]);
    expect(await audited()).toEqual([
      { action: 'quarantine.created', subjectId: entry.id },
      { action: 'quarantine.removed', subjectId: entry.id },
    ]);
  });

  test('members read, and only who manages writes', async () => {
    const { entry } = (await create()).body;
    expect((await list(suiteId, member.key)).items).toHaveLength(1);
    expect((await create({ caseId: 'case-1' }, member.key)).status).toBe(403);
    expect((await remove(entry.id, member.key)).status).toBe(403);
    expect((await call(urlOf(), { key: outsider.key })).status).toBe(404);
    expect((await remove(entry.id, outsider.key)).status).toBe(404);
  });

  test.each<readonly [string, () => object, string]>([
    ['an unknown case', () => ({ caseId: 'none' }), 'body.caseId'],
    ['a blank owner', () => ({ owner: ' ' }), 'body.owner'],
    ['a long reason', () => ({ reason: 'x'.repeat(501) }), 'body.reason'],
    ['an end in the past', () => ({ expiresAt: Date.now() - 1 }), 'body.expiresAt'],
    ['an end too far', () => ({ expiresAt: Date.now() + 31 * day }), 'body.expiresAt'],
  ])('%s is refused', async (_, more, path) => {
    const refused = await create(more());
    expect(refused.status).toBe(400);
    expect(refused.body.details.path).toBe(path);
  });

  test('an unknown field is refused', async () => {
    expect((await create({ until: 1 })).status).toBe(400);
  });

  test('a case variant is in quarantine once, by whichever id it is named', async () => {
    const { entry } = (await create({ model: 'large' })).body;
    expect((await create({ model: 'large' })).body.details.entry.id).toBe(entry.id);
    expect((await create({ model: 'small' })).status).toBe(201);
    const cases = await createLauncher(service, tenant).ask('GET', `eval-suites/${suiteId}/cases`);
    const byItsOwnId = await create({ caseId: cases.body.items[0].id, model: 'large' });
    expect(byItsOwnId.status).toBe(409);
    expect((await create({ caseId: cases.body.items[1].id })).status).toBe(201);
  });

  test('of many requests at once only as many succeed as there is room', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, at) => create({ caseId: `case-${at}` })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = made.find(({ status }) => status === 409);
    expect(refused?.body.details.reason).toBe('QUARANTINE_FULL');
  });

  test('the share of a suite is settable', async () => {
    const { ask } = createLauncher(service, tenant);
    const settings = { quarantineShare: 0.5 };
    const patched = await ask('PATCH', `eval-suites/${suiteId}`, { settings });
    expect(patched.body.settings.quarantineShare).toBe(0.5);
    expect((await list()).most).toBe(5);
    await ask('PATCH', `eval-suites/${suiteId}`, { settings: { quarantineShare: null } });
    expect((await list()).most).toBe(2);
  });

  test('an entry expires by the clock of the database, or loses its case', async () => {
    const { entry } = (await create()).body;
    await service.owner.sql`
      update quarantine_entries set expires_at = now() - interval '1 second' where id = ${entry.id}`;
    expect((await list()).items[0]).toMatchObject({ state: 'expired', daysLeft: 0 });
    expect((await create()).status).toBe(201);
    await service.owner
      .sql`delete from eval_cases where suite_id = ${suiteId} and declared_id = 'case-0'`;
    expect((await list()).items.map(({ state }: { state: string }) => state)).toEqual([
      'gone',
      'gone',
    ]);
  });

  test('59 passed trials of every variant make an entry stale', async () => {
    await create();
    await create({ caseId: 'case-1', model: 'large' });
    const cases = await createLauncher(service, tenant).ask('GET', `eval-suites/${suiteId}/cases`);
    const [first, second] = cases.body.items;
    const passed = '1'.repeat(59);
    await keep(first.id, 'large', passed);
    await keep(second.id, 'large', `${passed}0`);
    const states = async () => (await list()).items.map(({ state }: { state: string }) => state);
    expect(await states()).toEqual(['steady', 'inForce']);
    await keep(first.id, 'small', passed.slice(1));
    await keep(second.id, 'large', passed);
    expect(await states()).toEqual(['inForce', 'steady']);
  });
});

let number = 0;
async function keep(caseId: string, model: string, results: string) {
  number += 1;
  const runId = await createLauncher(service, tenant).ended();
  const variants = JSON.stringify([[caseId, model, null, 'hash', null]]);
  await service.owner.sql`insert into graded_runs ${service.owner.sql({
    run_id: runId,
    organization_id: tenant.organizationId,
    suite_id: suiteId,
    variants,
    variants_hash: createHash('sha256').update(variants).digest(),
    variant_count: 1,
    results: `1:${results}`,
    ended_at: new Date(Date.now() + number * 1000),
  })}`;
}

describe('in a suite file', () => {
  const dayIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
  const entry = (more: object = {}) => ({
    case: 'case-0',
    owner: 'Mika',
    reason: 'Races: the cache',
    expires: dayIn(3),
    ...more,
  });
  const file = (quarantine: readonly object[] | undefined, more: object = {}) =>
    JSON.stringify({
      schemaVersion: '1',
      suite: { id: `file-${suiteId}`, name: 'Weather' },
      target: { servers: [{ name: 'Sample' }] },
      defaults: { model: 'proofmark/lexical-1' },
      ...(quarantine && { quarantine }),
      cases: Array.from({ length: 10 }, (_, at) => ({
        id: `case-${at}`,
        title: `Weather ${at}`,
        ask: 'What is the weather?',
        calls: ['get_weather'],
      })),
      ...more,
    });
  const importFile = (content: string) =>
    createLauncher(service, tenant).ask('POST', 'eval-suites/import', { content });
  const exported = async (suite: string, format: string) => {
    const path = `eval-suites/${suite}/export?format=${format}`;
    return (await createLauncher(service, tenant).ask('GET', path)).body.content;
  };

  test('it is read, replaced by the next import, and nothing else is', async () => {
    const made = await importFile(file([entry(), entry({ case: 'gone', model: 'large' })]));
    expect(made.status).toBe(201);
    suiteId = made.body.suiteId;
    expect((await list()).items).toMatchObject([
      {
        caseId: 'case-0',
        source: 'file',
        state: 'inForce',
        reason: 'Races: the cache',
        daysLeft: 4,
      },
      { caseId: 'gone', source: 'file', state: 'gone', model: 'large', title: null },
    ]);
    await create({ caseId: 'case-1' });
    const again = file([entry({ case: 'case-2' })]).replace(
      /"id":"file-[^"]*"/,
      `"id":"${suiteId}"`,
    );
    expect((await importFile(again)).body.replaced).toBe(true);
    expect((await list()).items).toMatchObject([
      { caseId: 'case-1', source: 'api' },
      { caseId: 'case-2', source: 'file' },
    ]);
  });

  test.each(['yaml', 'json'])('it is exported as %s and can be imported again', async (format) => {
    const given = [entry(), entry({ case: 'case-1', model: 'large', expires: dayIn(-1) })];
    const { suiteId: made } = (await importFile(file(given))).body;
    suiteId = made;
    await create({ caseId: 'case-2' });
    const content = await exported(made, format);
    const before = (await list()).items;
    expect((await importFile(content)).status).toBe(201);
    const what = ({ caseId, model, owner, reason, expiresAt, source }: Record<string, unknown>) =>
      JSON.stringify([caseId, model, owner, reason, expiresAt, source]);
    const order = (items: Record<string, unknown>[]) => items.map(what).sort();
    expect(order((await list()).items)).toEqual(order(before));
    expect(await exported(made, format)).toBe(content);
    expect(content).not.toContain('case-2\n    owner');
  });

  test('its entries are deleted in the file, not over the API', async () => {
    suiteId = (await importFile(file([entry()]))).body.suiteId;
    const [{ id }] = (await list()).items;
    const refused = await remove(id);
    expect(refused.status).toBe(409);
    expect(refused.body.details.reason).toBe('IN_SUITE_FILE');
  });

  test('entries that were made over the API count beside those of the file', async () => {
    const made = await importFile(file([entry()]));
    suiteId = made.body.suiteId;
    await create({ caseId: 'case-1' });
    const again = (quarantine: object[]) =>
      importFile(file(quarantine).replace(/"id":"file-[^"]*"/, `"id":"${suiteId}"`));
    const refused = await again([entry(), entry({ case: 'case-2' })]);
    expect(refused.status).toBe(400);
    expect(refused.body.details.path).toContain('body.content.quarantine');
    const kept = (await list()).items.map(({ caseId }: { caseId: string }) => caseId);
    expect(kept.sort()).toEqual(['case-0', 'case-1']);
    expect((await again([entry({ case: 'case-1', model: 'large' })])).status).toBe(201);
  });

  test('the share is stated under defaults', async () => {
    const defaults = { model: 'proofmark/lexical-1', quarantineShare: 0.3 };
    const many = [entry(), entry({ case: 'case-1' }), entry({ case: 'case-2' })];
    const made = await importFile(file(many, { defaults }));
    expect(made.status).toBe(201);
    suiteId = made.body.suiteId;
    expect((await list()).most).toBe(3);
    expect(await exported(suiteId, 'yaml')).toContain('quarantineShare: 0.3');
  });

  test.each<readonly [string, readonly object[], string]>([
    ['without an owner', [entry({ owner: undefined })], 'quarantine[0]'],
    [
      'with a day that is none',
      [entry(), entry({ case: 'case-1', expires: 'soon' })],
      'quarantine[1]',
    ],
    ['with a day too late', [entry({ expires: dayIn(32) })], 'quarantine[0].expires'],
    ['with a variant twice', [entry(), entry()], 'quarantine[1].case'],
    ['with too many', ['0', '1', '2'].map((at) => entry({ case: `case-${at}` })), 'quarantine'],
  ])('%s is refused with its place', async (_, quarantine, place) => {
    const refused = await importFile(file(quarantine));
    expect(refused.status).toBe(400);
    expect(refused.body.details.path).toContain(`body.content.${place}`);
    expect(refused.body.message).toMatch(/Line \d+, column \d+/);
  });
});
