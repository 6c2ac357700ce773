import { allOperations, ErrorBody, errorStatus, type Operation } from '@proofmark/contract';
import {
  call,
  signInAs,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestUrl } from './request-url.ts';

/** Created once: compiling a new schema costs fifty times the CPU of a validation with it. */
const StrictErrorBody = ErrorBody.strict();

const visitRows = allOperations.filter((row) => row.surface === 'visit');
const named = (rows: readonly Operation[]) => rows.map((row) => [row.operationId, row] as const);

let service: TestService;
let mine: Tenant;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
});
afterAll(() => service.stop());

function urlOf(row: Operation, query: Readonly<Record<string, string>> = {}): string {
  const values = { ...mine, sessionId: 'cht_unknown', turnId: 'trn_unknown' };
  return requestUrl(service.baseUrl, row, values, query);
}

function send(row: Operation, request: Parameters<typeof call>[1]): Promise<TestAnswer> {
  return call(urlOf(row), { method: row.method, ...request });
}

function isError(answer: TestAnswer, code: keyof typeof errorStatus): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status: errorStatus[code],
    body: { code },
  });
  expect(StrictErrorBody.safeParse(answer.body).success).toBe(true);
}

describe('the operations of visitors', () => {
  const known = visitRows.filter((row) => row.operationId !== 'getVisitSession');
  const writes = visitRows.filter((row) => row.method !== 'GET');

  test.each(named(known))('%s takes a key for nobody', async (_, row) => {
    const request = { key: mine.key, ...(row.body && { body: {} }) };
    isError(await send(row, { ...request, headers: { origin: service.baseUrl } }), 'UNAUTHORIZED');
  });

  test.each(named(writes))('%s from another page or from nowhere is refused', async (_, row) => {
    const person = await signInAs(service, mine.accountId);
    const { origin: _origin, ...withoutOrigin } = person;
    const { 'x-csrf-token': _token, ...withoutToken } = person;
    const elsewhere = { ...person, origin: 'http://evil.example' };
    for (const headers of [elsewhere, withoutOrigin, withoutToken]) {
      isError(await send(row, { headers, ...(row.body && { body: {} }) }), 'FORBIDDEN');
    }
  });

  test.each(named(visitRows))('%s refuses a parameter that does not exist', async (_, row) => {
    const headers = await signInAs(service, mine.accountId);
    const url = urlOf(row, { bogus: '1' });
    const answer = await call(url, { method: row.method, headers, ...(row.body && { body: {} }) });
    isError(answer, 'VALIDATION_ERROR');
    expect(answer.body.details.path).toBe('query.bogus');
  });
});
