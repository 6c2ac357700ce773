/**
 * Tests the scopes of keys, with cases generated from the contract. A key is admitted exactly as
 * `scopeAllows` states, and operations for read-only keys change no row of any table.
 */
import { allOperations, effectOf, type Operation } from '@proofmark/contract';
import { type KeyScope, keyScopes, scopeAllows } from '@proofmark/domain';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import type { Example } from './example-parts.ts';
import { createExample } from './examples.ts';
import { stopExamples } from './real-server.ts';
import { requestUrl } from './request-url.ts';

const rows = allOperations.filter((row) => row.surface === 'api');
const reading = rows.filter((row) => effectOf(row) === 'reads');
let service: TestService;
let mine: Tenant;
let keys: Record<string, string>;
/**
 * The examples of reading operations are created first, so that only a read could change the
 * tables.
 */
const readExamples = new Map<string, Example>();
let beforeReading: unknown;

beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  mine = await createTenant(service, 'mine');
  await service.operator.setFeature(mine.organizationId, 'swarms', 'on');
  await service.operator.setFeature(mine.organizationId, 'user-testing', 'on');
  keys = {};
  for (const scope of keyScopes) {
    const made = await service.operator.createKey('owner@mine.example', 'mine', scope, { scope });
    keys[scope] = made.key;
  }
  for (const row of reading) readExamples.set(row.operationId, await exampleOf(row));
  beforeReading = await contents();
});
afterAll(async () => {
  await service.stop();
  await stopExamples();
});

/**
 * Returns the contents of every table, each partition separately. The time of a key's last use and
 * caches of the service (rate limit buckets, last listed tools) are left out, since reads may
 * change them.
 */
async function contents(): Promise<unknown> {
  const { sql } = service.owner;
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = 'proofmark'::regnamespace and relkind = 'r'
      and relname not in ('rate_limits', 'listed_tools')
    order by relname`;
  const hashes = tables.map(({ name }) => {
    const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
    return `select '${name}' as name, md5(string_agg(${row}, ',' order by ${row})) as hash from ${name} t`;
  });
  return sql.unsafe(`${hashes.join(' union all ')} order by 1`);
}

async function send(row: Operation, key: string | undefined, example: Example) {
  const { values, ...body } = example;
  const url = requestUrl(service.baseUrl, row, { ...mine, ...values });
  return call(url, { method: row.method, key, ...body });
}

/** Inline tests in the body of a launch need a full key, so a saved suite is launched. */
async function exampleOf(row: Operation): Promise<Example> {
  return row.operationId === 'createEvalRun'
    ? { body: { suiteId: await createLauncher(service, mine).suite() } }
    : createExample(service, mine, row);
}

function testScopes(given: readonly Operation[], scopes: readonly KeyScope[]): void {
  describe.each(given.map((row) => [row.operationId, effectOf(row), row] as const))(
    '%s, which %s',
    (_name, effect, row) => {
      const allowing = scopes.filter((scope) => scopeAllows(scope, effect));
      const refusing = scopes.filter((scope) => !scopeAllows(scope, effect));

      test.runIf(allowing.length > 0).each(allowing)('is open to a %s key', async (scope) => {
        const example = readExamples.get(row.operationId) ?? (await exampleOf(row));
        const answer = await send(row, keys[scope], example);
        expect(answer.status, answer.text).toBe(row.status);
      });

      test.runIf(refusing.length > 0).each(refusing)('is closed to a %s key', async (scope) => {
        const answer = await send(row, keys[scope], {});
        expect({ status: answer.status, body: answer.body }).toMatchObject({
          status: 403,
          body: { code: 'FORBIDDEN', details: { reason: 'KEY_SCOPE', scope } },
        });
      });
    },
  );
}

testScopes(reading, ['read-only']);
test('what a read-only key may call has changed no row of any table', async () => {
  expect(await contents()).toEqual(beforeReading);
});
testScopes(reading, ['run-only']);
testScopes(
  rows.filter((row) => !reading.includes(row)),
  ['read-only', 'run-only'],
);
