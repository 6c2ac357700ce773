import { ApiError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { visitCalls } from './visit-calls.ts';

/** Returns a service whose CSRF token changes with every sign-in. */
function serviceOf() {
  const sent: string[] = [];
  const service = { sent, token: 'guest', fetch: globalThis.fetch };
  service.fetch = async (input, init) => {
    const token = new Headers(init?.headers).get('x-csrf-token');
    sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
    if (init?.method === 'GET') return Response.json({ visitor: {}, csrfToken: service.token });
    if (token === service.token) return Response.json({ sessionId: 'cht_1' });
    const refused = { code: 'FORBIDDEN', message: 'No.', details: { reason: 'CSRF_TOKEN' } };
    return Response.json(refused, { status: 403 });
  };
  return service;
}

const begin = { scenarioId: 'scn_1', body: { accessVersion: 1 } };

test('whoever signs in in another tab goes on with the next call', async () => {
  const service = serviceOf();
  const { call } = visitCalls(service.fetch, 'http://here.example');
  await call('getVisitSession', {});
  service.token = 'account';
  expect(await call('createVisitorSession', begin)).toEqual({ sessionId: 'cht_1' });
  const write = 'POST /visit/v1/scenarios/scn_1/sessions';
  expect(service.sent.slice(1)).toEqual([write, 'GET /visit/v1/session', write]);
});

test('a token that is refused again is told', async () => {
  const service = serviceOf();
  const { call } = visitCalls(async (input, init) => {
    const answer = await service.fetch(input, init);
    service.token += '.';
    return answer;
  }, 'http://here.example');
  await expect(call('createVisitorSession', begin)).rejects.toBeInstanceOf(ApiError);
  expect(service.sent).toHaveLength(3);
});
