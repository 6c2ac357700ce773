/**
 * Tests every id-shaped field of every body in the contract: an id of another tenant is rejected
 * with the same message as a missing one, and no row is written. A new field fails this test until
 * it is listed as a reference or as another kind of id.
 */
import { allOperations, basePaths, type Operation } from '@proofmark/contract';
import { type IdKind, idPrefixes, makeId } from '@proofmark/domain';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import { createExample } from './examples.ts';
import { idFieldsOf } from './id-fields.ts';
import { ownWords, references } from './ids-in-bodies.ts';
import { stopExamples } from './real-server.ts';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let person: Record<string, string>;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  mine = await createTenant(service, 'mine');
  await service.operator.setFeature(mine.organizationId, 'swarms', 'on');
  await service.operator.setFeature(mine.organizationId, 'user-testing', 'on');
  theirs = await createTenant(service, 'theirs');
  person = await signInAs(service, mine.accountId);
});
afterAll(async () => {
  await service.stop();
  await stopExamples();
});

function similarId(id: string): string {
  const kind = Object.entries(idPrefixes).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0];
  return makeId(kind as IdKind, Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

async function send(row: Operation, values: Readonly<Record<string, string>>, body: object) {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'missing');
  return call(`${service.baseUrl}${basePaths[row.surface]}${path}`, {
    method: row.method,
    body,
    ...(row.surface === 'api' ? { key: mine.key } : { headers: person }),
  });
}

/** Returns a value that changes with every written row of an organization. */
async function written(): Promise<unknown> {
  const { sql } = service.owner;
  const tables = await sql<{ name: string }[]>`
    select table_name::text as name from information_schema.columns
    join pg_class on oid = ('proofmark.' || table_name)::regclass
    where table_schema = 'proofmark' and column_name = 'organization_id' and not relispartition`;
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::text as rows, max(xmin::text::bigint)::text as last from ${name}`,
  );
  return sql.unsafe(`${counts.join(' union all ')} order by name`);
}

test('every id-shaped field of every body is a reference or words of the caller', () => {
  const fields = allOperations.flatMap((row) =>
    idFieldsOf(row.body).map((path) => `${row.operationId} ${path}`),
  );
  const unknown = fields.filter(
    (field) => references[field] === undefined && !ownWords.some(({ place }) => place.test(field)),
  );
  expect(unknown).toEqual([]);
  const gone = Object.entries(references).filter(
    ([field, { isInBatch }]) => !isInBatch && !fields.includes(field),
  );
  expect(gone.map(([field]) => field)).toEqual([]);
  for (const { place } of ownWords) {
    expect(
      fields.some((field) => place.test(field)),
      String(place),
    ).toBe(true);
  }
});

test.each(Object.keys(references))(
  'a foreign id in %s is refused like one that does not exist, and nothing is written',
  async (field) => {
    const reference = references[field] as (typeof references)[string];
    const row = allOperations.find(({ operationId }) => field.startsWith(`${operationId} `));
    if (row === undefined) throw new Error('There is no such operation.');
    const foreignId = await reference.id(service, theirs);
    const { values } =
      row.surface === 'api'
        ? await createExample(service, mine, row)
        : { values: await reference.values?.(service, mine) };
    const place = { ...(mine as unknown as Record<string, string>), ...values };
    const bodyWith = (id: string) => reference.body(service, mine, id);
    const body = await bodyWith(foreignId);
    const before = await written();
    const foreign = await send(row, place, body);
    expect(await written(), foreign.text).toEqual(before);
    const unknownId = similarId(foreignId);
    const unknown = await send(row, place, await bodyWith(unknownId));
    expect(foreign.text.replaceAll(foreignId, unknownId)).toBe(unknown.text);
    if (reference.isInBatch) {
      expect(foreign.body).toMatchObject({ created: [], failed: [{ index: 0 }] });
    } else {
      expect([400, 403, 404], foreign.text).toContain(foreign.status);
    }
    if (foreign.status === 400) {
      const [name = ''] = field.slice(field.indexOf(' ') + 1).split(/[.[{]/);
      expect(foreign.body.details.path.startsWith(`body.${name}`), foreign.text).toBe(true);
    }
    if (reference.isOfSuite) return;
    const ownId = await reference.id(service, mine);
    const own = await send(row, place, await bodyWith(ownId));
    expect(own.status, own.text).toBe(row.status);
  },
);
