import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
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

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }];

async function makeSuite(): Promise<string> {
  const tests = [{ title: 'First', steps }];
  const body = { name: unique('Suite'), serverIds: [tenant.serverId], model: 'a/b', tests };
  return (await ask('POST', 'eval-suites', body)).body.suiteId;
}

async function addBatch(suiteId: string, body: object, key?: string) {
  const path = `projects/${tenant.projectId}/eval-suites/${suiteId}/cases/batch`;
  return call(`${service.baseUrl}/api/v1/${path}`, {
    method: 'POST',
    key: tenant.key,
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
}

async function titles(suiteId: string): Promise<string[]> {
  const { body } = await ask('GET', `eval-suites/${suiteId}/cases`);
  return body.items.map(({ title }: { title: string }) => title);
}

describe('one case', () => {
  const everything = {
    expectedOutput: 'Hello',
    iterations: 4,
    isNegative: true,
    scenario: 'Morning',
    models: [{ model: 'a/b' }, { model: 'c', provider: 'd' }],
    matchOptions: { argumentMatching: 'exact' },
    checks: { mode: 'extend', list: [{ type: 'noToolErrors' }] },
    advancedConfig: { toolChoice: 'required' },
    passThreshold: 0.5,
    failOnToolError: false,
    elicitations: [{ message: 'name', action: 'accept', content: { name: 'Ada' } }],
    disabled: true,
  };

  test('is made, read, edited and deleted', async () => {
    const path = `eval-suites/${await makeSuite()}/cases`;
    const made = await ask('POST', path, { id: 'two', title: 'Two', steps, ...everything });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      ...everything,
      declaredId: 'two',
      models: [
        { model: 'a/b', provider: 'a' },
        { model: 'c', provider: 'd' },
      ],
    });
    const one = `${path}/${made.body.id}`;
    const { warnings: ofMaking, ...shown } = made.body;
    expect(ofMaking).toEqual([]);
    expect((await ask('GET', one)).body).toEqual(shown);
    const cleared = Object.fromEntries(Object.keys(everything).map((field) => [field, null]));
    const edited = await ask('PATCH', one, { title: 'Three', ...cleared });
    const { warnings: ofEditing, ...now } = edited.body;
    expect(ofEditing).toMatchObject([{ path: 'body', code: 'CASE_ASSERTS_NOTHING' }]);
    expect(now).toEqual({
      id: made.body.id,
      declaredId: 'two',
      title: 'Three',
      steps,
      iterations: 1,
      iterationsInherited: true,
      isNegative: false,
      models: [],
      createdAt: made.body.createdAt,
      updatedAt: expect.any(Number),
    });
    expect((await ask('GET', one)).body).toEqual(now);
    expect((await ask('DELETE', one)).body).toEqual({ id: made.body.id, deleted: true });
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await ask(method, one)).status).toBe(404);
    }
  });

  test('that somebody else changed since it was read is not written over', async () => {
    const suiteId = await makeSuite();
    const { body: read } = await ask('GET', `eval-suites/${suiteId}/cases`);
    const { id, updatedAt } = read.items[0];
    const path = `eval-suites/${suiteId}/cases/${id}`;
    const mine = { expectedUpdatedAt: updatedAt };
    expect((await ask('PATCH', path, { title: 'Theirs', ...mine })).status).toBe(200);
    const { body: now } = await ask('GET', path);
    expect(await ask('PATCH', path, { title: 'Mine', ...mine })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { currentUpdatedAt: now.updatedAt } },
    });
    expect((await ask('GET', path)).body).toEqual(now);
    expect((await ask('PATCH', path, { title: 'Last' })).body).toMatchObject({ title: 'Last' });
  });

  test('has an id no other case of the suite has', async () => {
    const path = `eval-suites/${await makeSuite()}/cases`;
    const body = { id: 'same', title: 'One', steps };
    expect((await ask('POST', path, body)).status).toBe(201);
    const again = await ask('POST', path, { ...body, title: 'Other' });
    expect([again.status, again.body.details.reason]).toEqual([409, 'DUPLICATE_CASE_ID']);
  });

  test.each<[object, string]>([
    [{ title: 'x' }, 'body.steps'],
    [{ title: 'x'.repeat(201), steps }, 'body.title'],
    [{ title: 'x', steps, id: 'a b' }, 'body.id'],
    [{ title: 'x', steps, iterations: 101 }, 'body.iterations'],
    [{ title: 'x', steps, extra: 1 }, 'body.extra'],
    [
      {
        title: 'x',
        steps,
        checks: { mode: 'replace', list: Array(51).fill({ type: 'noToolErrors' }) },
      },
      'body.checks.list',
    ],
    [
      {
        title: 'x',
        steps: [
          { id: 'a', kind: 'assert', assertion: { type: 'noToolErrors', kind: 'textVisible' } },
        ],
      },
      'body.steps[0].assertion',
    ],
    [
      {
        title: 'x',
        steps: [
          {
            id: 'a',
            kind: 'toolCall',
            serverName: 's',
            toolName: 't',
            arguments: { a: 'x'.repeat(100_000) },
          },
        ],
      },
      'body.steps[0].arguments',
    ],
  ])('%# is refused at %s', async (body, path) => {
    const suiteId = await makeSuite();
    const answer = await ask('POST', `eval-suites/${suiteId}/cases`, body);
    expect([answer.status, answer.body.details.path], answer.text).toEqual([400, path]);
    expect(await titles(suiteId)).toEqual(['First']);
  });

  test('of another suite is not there', async () => {
    const [one, other] = [await makeSuite(), await makeSuite()];
    const [{ id }] = (await ask('GET', `eval-suites/${one}/cases`)).body.items;
    expect((await ask('GET', `eval-suites/${other}/cases/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `eval-suites/${other}/cases/${id}`, { title: 'x' })).status).toBe(
      404,
    );
    expect((await ask('DELETE', `eval-suites/${other}/cases/${id}`)).status).toBe(404);
  });

  test('that a report named first keeps its id and its trials, and its trials stay when it goes', async () => {
    const suiteName = unique('Reported');
    const report = await createReporter(service, tenant).ingest('report', {
      suiteName,
      results: [{ ...passing, caseId: 'shared' }],
    });
    const { suiteId, runId } = report.body;
    const trial = async () => (await ask('GET', `eval-runs/${runId}/iterations`)).body.items[0];
    const path = `eval-suites/${suiteId}/cases`;
    expect((await ask('GET', path)).body.items).toEqual([]);
    const made = await ask('POST', path, { id: 'shared', title: 'Authored', steps });
    expect(made.body.id).toBe((await trial()).testCaseId);
    await ask('DELETE', `${path}/${made.body.id}`);
    expect((await trial()).testCaseId).toBe(made.body.id);
  });
});

describe('a batch', () => {
  test('adds what can be added, in order, and says why the rest cannot', async () => {
    const suiteId = await makeSuite();
    const answer = await addBatch(suiteId, {
      cases: [
        { title: 'A', id: 'a', steps },
        'no object',
        { title: 'B', id: 'b c', steps },
        { title: 'C', id: 'a', steps },
        { title: 'First', steps },
        { title: 'D', steps: [] },
        { title: 'E', steps: [{ ...steps[0], prompt: 'x'.repeat(99_000) }], scenario: 'y' },
        { title: 'F', steps, extra: 1 },
        { title: 'G', steps, expectedOutput: 'x'.repeat(500_000) },
      ],
    });
    expect(answer.status, answer.text).toBe(201);
    const made = { id: expect.stringMatching(/^cas_/), replayed: false };
    expect(answer.body.created).toEqual([
      { index: 0, title: 'A', declaredId: 'a', ...made },
      { index: 6, title: 'E', ...made },
    ]);
    const failed = answer.body.failed as { index: number; code: string; message: string }[];
    expect(failed.map(({ index, code }) => `${index} ${code}`)).toEqual([
      ...['1 INVALID_ITEM', '2 INVALID_CASE_ID', '3 DUPLICATE_CASE_ID', '4 DUPLICATE_CONTENT'],
      ...['5 INVALID_CASE', '7 INVALID_CASE', '8 ITEM_TOO_LARGE'],
    ]);
    expect(failed.find(({ index }) => index === 5)?.message).toMatch(/^steps: /);
    expect(answer.body.duplicatePolicy).toEqual({
      requestedPolicy: 'block',
      effectivePolicy: 'block',
      coerced: false,
    });
    expect(await titles(suiteId)).toEqual(['First', 'A', 'E']);
  });

  test('may add the same content again, with a warning or for a reason', async () => {
    const suiteId = await makeSuite();
    const cases = [{ title: 'First', steps }];
    const warned = await addBatch(suiteId, { cases, duplicatePolicy: 'warn' });
    expect(warned.body.created[0].warnings[0].code).toBe('DUPLICATE_CONTENT');
    const without = await addBatch(suiteId, { cases, duplicatePolicy: 'create_anyway' });
    expect(without.body.failed[0].code).toBe('OVERRIDE_REASON_REQUIRED');
    const body = { cases, duplicatePolicy: 'create_anyway', overrideReason: 'A control.' };
    expect((await addBatch(suiteId, body)).body.created).toHaveLength(1);
    expect(await titles(suiteId)).toEqual(['First', 'First', 'First']);
  });

  test.each<[string, object]>([
    ['no case', { cases: [] }],
    ['101 cases', { cases: Array(101).fill({ title: 'x', steps }) }],
    ['another policy', { cases: [{}], duplicatePolicy: 'maybe' }],
    ['an unknown field', { cases: [{}], extra: 1 }],
  ])('of %s is refused whole', async (_title, body) => {
    expect((await addBatch(await makeSuite(), body)).status).toBe(400);
  });

  test('that is sent again with its key is answered again and adds nothing', async () => {
    const suiteId = await makeSuite();
    const key = unique('key');
    const body = {
      cases: [
        { title: 'A', steps },
        { title: 'B', steps: [] },
      ],
    };
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => addBatch(suiteId, body, key)));
    const answers = [first, ...others].map((answer) => answer?.body);
    expect(answers.map(({ created }) => created[0].replayed).sort()).toEqual([false, true, true]);
    expect(new Set(answers.map(({ created }) => created[0].id)).size).toBe(1);
    expect(answers.every(({ failed }) => failed[0].code === 'INVALID_CASE')).toBe(true);
    expect(await titles(suiteId)).toEqual(['First', 'A']);
  });

  test('with a key that was used for something else is refused', async () => {
    const suiteId = await makeSuite();
    const key = unique('key');
    await addBatch(suiteId, { cases: [{ title: 'A', steps }] }, key);
    for (const [suite, title] of [
      [suiteId, 'B'],
      [await makeSuite(), 'A'],
    ] as const) {
      const answer = await addBatch(suite, { cases: [{ title, steps }] }, key);
      expect([answer.status, answer.body.details.reason]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await titles(suiteId)).toEqual(['First', 'A']);
  });

  test.each(['', 'x'.repeat(257)])('with the key %j is refused', async (key) => {
    const body = { cases: [{ title: 'A', steps }] };
    expect((await addBatch(await makeSuite(), body, key)).status).toBe(400);
  });

  test('makes a suite of at most 500 cases, however many come at once', async () => {
    const suiteId = await makeSuite();
    const hundred = (name: string) => ({
      cases: Array.from({ length: 100 }, (_, index) => ({ title: `${name} ${index}`, steps })),
    });
    const statuses = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(
        async (name) => (await addBatch(suiteId, hundred(name))).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 409]);
    const rest = { cases: hundred('f').cases.slice(0, 99) };
    expect((await addBatch(suiteId, rest)).status).toBe(201);
    const one = await ask('POST', `eval-suites/${suiteId}/cases`, { title: 'One more', steps });
    expect([one.status, one.body.details.reason]).toEqual([409, 'TOO_MANY_CASES']);
  });
});

test('cases are listed page by page in their order', async () => {
  const suiteId = await makeSuite();
  const cases = ['A', 'B', 'C', 'D'].map((title) => ({ title, steps }));
  await addBatch(suiteId, { cases });
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = (await ask('GET', `eval-suites/${suiteId}/cases?limit=2${cursor}`)).body;
    seen.push(...page.items.map(({ title }: { title: string }) => title));
    cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(['First', 'A', 'B', 'C', 'D']);
});
