import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallerFound, findCallerByKey, type Wanted } from './callers.ts';

let service: TestService;
let tenants: readonly Tenant[];
let unknownKey: string;

beforeAll(async () => {
  service = await startTestService();
  tenants = [
    await createTenant(service, 'one'),
    await createTenant(service, 'two'),
    await createTenant(service, 'three'),
  ];
  unknownKey = service.database.vault.apiKeys.issue().key;
});
afterAll(() => service.stop());

test('callers who arrive together are each found as if they came alone', async () => {
  const keys = [...tenants.map((tenant) => tenant.key), unknownKey, 'no key at all'];
  const odd = ['', 'default', 'two words', 'a\nb', "quote'", '%', 'prj_\u00e9', '-'];
  const projects = [...tenants.map((tenant) => tenant.projectId), ...odd];
  const runs = [...tenants.map((tenant) => tenant.runId), ...odd];
  const wanted = fc.oneof(
    fc.constantFrom<Wanted>(undefined, 'default'),
    fc.record({ projectId: fc.constantFrom(...projects) }),
    fc.record({ projectId: fc.constantFrom(...projects), runId: fc.constantFrom(...runs) }),
  );
  const question = fc.tuple(fc.constantFrom(...keys), wanted);
  const alone = new Map<string, CallerFound>();
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 150 }), async (questions) => {
      const together = await Promise.all(
        questions.map(([key, one]) => findCallerByKey(service.database, key, 'off', one)),
      );
      for (const [at, [key, one]] of questions.entries()) {
        const name = JSON.stringify([key, one]);
        if (!alone.has(name)) {
          alone.set(name, await findCallerByKey(service.database, key, 'off', one));
        }
        expect(together[at]).toEqual(alone.get(name));
      }
    }),
    { numRuns: 20 },
  );
  const [own] = tenants as [Tenant];
  const found = await findCallerByKey(service.database, own.key, 'off', {
    projectId: own.projectId,
    runId: own.runId,
  });
  expect(found).toMatchObject({ project: { id: own.projectId }, runRevision: expect.any(Number) });
});

test('of callers who arrive together as many pass as each bucket holds, the first of each', async () => {
  const limit = { perMinute: 1, burst: 7 };
  const order = Array.from({ length: 60 }, (_, at) => tenants[at % 3] as Tenant);
  const found = await Promise.all(
    order.map((tenant) => findCallerByKey(service.database, tenant.key, limit, undefined)),
  );
  for (const tenant of tenants) {
    const passed = found
      .filter((_, at) => order[at] === tenant)
      .map((one) => one !== undefined && !('orphaned' in one) && !one.retryAfterSeconds);
    expect(passed).toEqual([...Array(7).fill(true), ...Array(13).fill(false)]);
  }
});
