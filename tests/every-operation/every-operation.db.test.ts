/**
 * Tests the promises of all operations. The cases are generated from the contract, so a new
 * operation is covered at once. An operation that needs an example but has none in `examples.ts`
 * fails. A valid call of each is in `valid-calls.db.test.ts`.
 */
import {
  allOperations,
  bodyLimitBytes,
  ErrorBody,
  errorStatus,
  type Operation,
  pathParameters,
} from '@proofmark/contract';
import { type IdKind, idPrefixes, makeId, projectTiers } from '@proofmark/domain';
import {
  call,
  signInAs,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { canary, createMember } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import type { Example } from './example-parts.ts';
import { createExample } from './examples.ts';
import { stopExamples } from './real-server.ts';
import { requestUrl } from './request-url.ts';
import { idsFor, type TenantOfAll, tenantOfAll } from './tenant-of-all.ts';

/** Created once: compiling a new schema costs fifty times the CPU of a validation with it. */
const StrictErrorBody = ErrorBody.strict();

const apiRows = allOperations.filter((row) => row.surface === 'api');
const consoleRows = allOperations.filter((row) => row.surface === 'console');
const projectRows = apiRows.filter((row) => row.path.includes('{projectId}'));
const bodyRows = allOperations.filter((row) => row.body !== undefined);
const pagedRows = apiRows.filter((row) => row.page !== undefined);

const named = (rows: readonly Operation[]) => rows.map((row) => [row.operationId, row] as const);

/**
 * Content that people and Proofmark's client may not send. Reports of other tools may contain it.
 */
const unwanted: [string, Parameters<typeof call>[1], string][] = [
  ['an unknown field', { body: { bogusField: 1 } }, 'body'],
  ['U+0000', { body: { name: 'a\u0000b' } }, 'body.name'],
  ['a lone surrogate', { text: '{"name":"\\ud800"}' }, 'body.name'],
];

let service: TestService;
let limited: Awaited<ReturnType<TestService['another']>>;
let mine: TenantOfAll;
let theirs: TenantOfAll;
let revokedKey: string;
/** A private project of this organization, and the key of a member without access to it. */
let hiddenProjectId: string;
let outsiderKey: string;
const members = new Map<string, ReturnType<typeof createMember>>();
const examples = new Map<string, Promise<Example>>();
const answers: TestAnswer[] = [];

beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  limited = await service.another({ rateLimit: { perMinute: 1, burst: 1 } });
  mine = await tenantOfAll(service, 'mine');
  await service.operator.setFeature(mine.organizationId, 'swarms', 'on');
  await service.operator.setFeature(mine.organizationId, 'user-testing', 'on');
  theirs = await tenantOfAll(service, 'theirs');
  const owner = ['owner@mine.example', mine.organizationId] as const;
  const revoked = await service.operator.createKey(...owner, 'gone');
  await service.operator.revokeKey(revoked.apiKey.id);
  revokedKey = revoked.key;
  const { sql } = service.owner;
  hiddenProjectId = makeId('project', Date.now(), crypto.getRandomValues(new Uint8Array(10)));
  await sql`insert into projects ${sql({ id: hiddenProjectId, organization_id: mine.organizationId, name: 'Hidden', visibility: 'private' })}`;
  outsiderKey = (await createMember(service, mine, 'member')).key;
  // A trial is exported only some time after its end, so the ends are moved into the past.
  await service.owner.sql`update eval_iterations set ended_at = ended_at - interval '1 minute'`;
});
afterAll(async () => {
  await limited.stop();
  await service.stop();
  await stopExamples();
});

/** Returns one shared example for all rejected calls, since they do not change it. */
function exampleOf(row: Operation): Promise<Example> {
  const known = examples.get(row.operationId);
  const example = known ?? createExample(service, mine, row);
  examples.set(row.operationId, example);
  return example;
}

function memberOf(tier: (typeof projectTiers)[number]): ReturnType<typeof createMember> {
  const member = members.get(tier) ?? createMember(service, mine, 'member', tier);
  members.set(tier, member);
  return member;
}

function urlOf(
  row: Operation,
  values: object,
  query: Readonly<Record<string, string>> = {},
): string {
  return requestUrl(service.baseUrl, row, { ...values }, query);
}

async function send(
  row: Operation,
  request: Parameters<typeof call>[1] = {},
  values: Partial<Record<string, string>> = {},
) {
  const answer = await call(urlOf(row, { ...idsFor(row, mine), ...values }), {
    method: row.method,
    ...request,
  });
  answers.push(answer);
  return answer;
}

function isError(answer: TestAnswer, code: keyof typeof errorStatus): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status: errorStatus[code],
    body: { code },
  });
  expect(StrictErrorBody.safeParse(answer.body).success).toBe(true);
}

function similarId(id: string): string {
  const kind = Object.entries(idPrefixes).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0];
  return makeId(kind as IdKind, Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

describe.each(apiRows.map((row) => [row.operationId, row] as const))('%s', (_, row) => {
  test('without a key, with a malformed, an unknown and a revoked one: one and the same 401', async () => {
    const unknown = service.vault.apiKeys.issue().key;
    const almost = `sk_${'a'.repeat(42)}`;
    const body = row.body === undefined ? {} : { body: {} };
    const refused = [];
    for (const key of [undefined, '', 'sk_', 'nonsense', almost, unknown, revokedKey]) {
      refused.push(await send(row, { key, ...body }));
    }
    for (const answer of refused) isError(answer, 'UNAUTHORIZED');
    expect(new Set(refused.map((answer) => answer.text)).size).toBe(1);
  });

  test('over the limit: 429 with an integer Retry-After', async () => {
    const { key } = await service.operator.createKey(
      'owner@mine.example',
      mine.organizationId,
      'limited',
    );
    const url = urlOf(row, idsFor(row, mine)).replace(service.baseUrl, limited.baseUrl);
    expect((await call(`${limited.baseUrl}/api/v1/me`, { key })).status).toBe(200);
    const answer = await call(url, { method: row.method, key });
    isError(answer, 'RATE_LIMITED');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  test('a parameter that does not exist is refused by name', async () => {
    const { values, ...body } = await exampleOf(row);
    const url = urlOf(row, { ...idsFor(row, mine), ...values }, { bogus: '1' });
    const answer = await call(url, { method: row.method, key: mine.key, ...body });
    isError(answer, 'VALIDATION_ERROR');
    expect(answer.body.details.path).toBe('query.bogus');
  });
});

describe.each(projectRows.map((row) => [row.operationId, row] as const))(
  '%s keeps tenants apart',
  (_, row) => {
    const ids = pathParameters(row.path);

    test.each(ids)('a foreign %s is 404, byte-equal to one that does not exist', async (name) => {
      const foreignId = idsFor(row, theirs)[name] as string | undefined;
      if (foreignId === undefined) throw new Error(`Give the tenants a ${name}.`);
      const { values, ...body } = await exampleOf(row);
      const request = { key: mine.key, ...body };
      const foreign = await send(row, request, { ...values, [name]: foreignId });
      const unknown = await send(row, request, { ...values, [name]: similarId(foreignId) });
      isError(foreign, 'NOT_FOUND');
      expect(foreign.text).toBe(unknown.text);
    });

    test(`the literal default ${row.ingestion ? 'is the Default project' : 'names no project'}`, async () => {
      const { values, ...body } = row.ingestion
        ? await createExample(service, mine, row)
        : await exampleOf(row);
      const answer = await send(
        row,
        { key: mine.key, ...body },
        { ...values, projectId: 'default' },
      );
      if (row.ingestion) expect(answer.status, answer.text).toBe(row.status);
      else isError(answer, 'NOT_FOUND');
    });

    test('a project of one’s own organization without access is 403', async () => {
      const request = { key: outsiderKey, ...(row.body && { body: {} }) };
      isError(await send(row, request, { projectId: hiddenProjectId }), 'FORBIDDEN');
    });

    test.each(projectTiers)(
      'a caller of tier %s is let in exactly when the row allows it',
      async (tier) => {
        const caller = await memberOf(tier);
        const { values, ...body } = await createExample(service, mine, row, caller.key);
        const answer = await send(row, { key: caller.key, ...body }, values);
        const allowed = projectTiers.indexOf(tier) >= projectTiers.indexOf(row.access as 'member');
        if (allowed) expect(answer.status, answer.text).toBe(row.status);
        else isError(answer, 'FORBIDDEN');
      },
    );
  },
);

test.each(
  named(apiRows.filter((row) => row.query !== undefined && 'projectId' in row.query.shape)),
)(
  '%s: a foreign project in the query is 404, byte-equal to one that does not exist',
  async (_, row) => {
    const read = (projectId: string) =>
      call(`${urlOf(row, {}).split('?')[0]}?projectId=${projectId}`, { key: mine.key });
    const foreign = await read(theirs.projectId);
    isError(foreign, 'NOT_FOUND');
    expect(foreign.text).toBe((await read(similarId(theirs.projectId))).text);
    expect((await read(mine.projectId)).status).toBe(200);
  },
);

describe.each(bodyRows.map((row) => [row.operationId, row] as const))(
  '%s refuses a bad body',
  (_, row) => {
    const largest = bodyLimitBytes(row);
    const bad: [string, Parameters<typeof call>[1], string][] = [
      ['malformed JSON', { text: '{"name":' }, 'body'],
      ['no object', { text: '[]' }, 'body'],
      [
        'another content type',
        { text: '{}', headers: { 'content-type': 'text/plain' } },
        'header.content-type',
      ],
      ['a field called __proto__', { text: '{"__proto__":{"polluted":true}}' }, 'body'],
      ['nesting of 100 levels', { text: `${'['.repeat(100)}${']'.repeat(100)}` }, 'body'],
      [
        `more than ${largest} bytes`,
        { text: JSON.stringify({ name: 'x'.repeat(largest) }) },
        'body',
      ],
      [
        'a compressed body',
        { headers: { 'content-encoding': 'gzip' }, text: '{}' },
        'header.content-encoding',
      ],
      ...(row.ingestion ? [] : unwanted),
    ];
    test.each(bad)('%s: 400 with the path', async (_name, request, path) => {
      const credentials =
        row.surface === 'api'
          ? { key: mine.key }
          : { headers: await signInAs(service, mine.accountId) };
      const answer = await send(row, {
        ...credentials,
        ...request,
        headers: { ...credentials.headers, ...request?.headers },
      });
      isError(answer, 'VALIDATION_ERROR');
      expect(String(answer.body.details.path).startsWith(path)).toBe(true);
    });
  },
);

describe.each(named(bodyRows.filter((row) => row.ingestion)))(
  '%s takes what any tool prints',
  (_, row) => {
    test.each(unwanted)('%s is passed over', async (_name, strange) => {
      const { values, body } = await createExample(service, mine, row);
      const added = JSON.parse(strange?.text ?? JSON.stringify(strange?.body)) as object;
      const answer = await send(
        row,
        { key: mine.key, body: { ...(body as object), ...added } },
        values,
      );
      expect(answer.status, answer.text).toBe(row.status);
      expect(row.output.safeParse(answer.body).error).toBeUndefined();
    });
  },
);

function rowsOn({ items, diagnostics, resourceSpans }: TestAnswer['body']): number {
  if (items !== undefined) return items.length;
  if (diagnostics !== undefined) return diagnostics.scannedIterations;
  const { spans } = resourceSpans[0].scopeSpans[0];
  return new Set(spans.map(({ traceId }: { traceId: string }) => traceId)).size;
}

describe.each(pagedRows.map((row) => [row.operationId, row] as const))('%s is paged', (_, row) => {
  test.each(['x', '1.5', '', '1e3', '0x10'])('limit %j is 400', async (limit) => {
    const answer = await call(urlOf(row, idsFor(row, mine), { limit }), { key: mine.key });
    isError(answer, 'VALIDATION_ERROR');
    expect(answer.body.details.path).toBe('query.limit');
  });

  test.each(['-5', '0', '1', '200', '99999'])('limit %j is brought into range', async (limit) => {
    const answer = await call(urlOf(row, idsFor(row, mine), { limit }), { key: mine.key });
    expect(answer.status).toBe(200);
    const rows = rowsOn(answer.body);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(Math.max(1, Math.min(200, Number(limit))));
  });

  test('a made-up cursor is 400', async () => {
    const name = row.page?.cursorParameter ?? '';
    const answer = await call(urlOf(row, idsFor(row, mine), { [name]: 'WzEsIjEiXQ.AAAA' }), {
      key: mine.key,
    });
    isError(answer, 'VALIDATION_ERROR');
  });
});

const signedInRows = consoleRows.filter((row) => row.access !== 'anonymous');
const writeRows = consoleRows.filter((row) => row.method !== 'GET');

describe('the console’s operations are for people', () => {
  test.each(named(consoleRows))('%s refuses an API key with 403', async (_, row) => {
    isError(await send(row, { key: mine.key, ...(row.body && { body: {} }) }), 'FORBIDDEN');
    isError(await send(row, { key: 'sk_whatever', ...(row.body && { body: {} }) }), 'FORBIDDEN');
  });

  test.each(named(signedInRows))('%s without a session is 401', async (_, row) => {
    const headers = { origin: service.baseUrl };
    isError(await send(row, { headers, ...(row.body && { body: {} }) }), 'UNAUTHORIZED');
  });

  test.each(named(writeRows))('%s from another page or from nowhere is refused', async (_, row) => {
    const person = await signInAs(service, mine.accountId);
    const { origin: _origin, ...withoutOrigin } = person;
    const elsewhere = { ...person, origin: 'http://evil.example' };
    for (const headers of [elsewhere, { ...person, origin: 'null' }, withoutOrigin]) {
      isError(await send(row, { headers, ...(row.body && { body: {} }) }), 'FORBIDDEN');
    }
  });

  test.each(named(writeRows.filter((row) => row.access !== 'anonymous')))(
    '%s without the session’s own token is refused',
    async (_, row) => {
      const person = await signInAs(service, mine.accountId);
      const { 'x-csrf-token': _token, ...withoutToken } = person;
      for (const headers of [withoutToken, { ...person, 'x-csrf-token': 'wrong' }]) {
        isError(await send(row, { headers, ...(row.body && { body: {} }) }), 'FORBIDDEN');
      }
    },
  );
});

test('no answer to any of these calls held a secret, a statement or a stack', () => {
  expect(answers.length).toBeGreaterThan(200);
  for (const { text } of answers) {
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/\bat .*\.ts:\d+|select .* from|node_modules/i);
  }
});

test('no log line held a key, a secret or a header', () => {
  expect(service.logLines.length).toBeGreaterThan(200);
  for (const line of service.logLines)
    expect(line).not.toMatch(/canary-|sk_[A-Za-z0-9]{10}|Bearer /);
});
