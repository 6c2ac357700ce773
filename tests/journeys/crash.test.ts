/**
 * Tests that acknowledged data is never lost, whichever process is killed. The list of
 * acknowledgements is closed before the killed process is started again. It has a minimum length,
 * since a round with few acknowledgements proves little.
 */

import type { Ended, StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isOneSentence } from './one-sentence.ts';
import { createReadyWorkspace } from './ready-workspace.ts';
import { sendRaw } from './send-raw.ts';
import { listProjectIds, startWriteLoad } from './write-load.ts';

const workspace = createReadyWorkspace();
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
const floor = 50;
const acknowledged: string[] = [];
let service: StartedProofmark;
let key: string;

beforeAll(async () => {
  service = await workspace.serve([], unlimited);
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@crash.example', '--organization', 'Crash'],
  );
  key = made.apiKey;
});
afterAll(() => workspace.remove());

async function expectNothingLost(): Promise<void> {
  const present = await listProjectIds(service.url, key);
  const missing = acknowledged.filter((id) => !present.has(id));
  expect(missing, `lost of ${acknowledged.length} acknowledged`).toEqual([]);
}

test('a second service on the data directory is refused and told who has it', async () => {
  const second = await workspace.runHere(['serve', '--port', '0', '--data-dir', workspace.dataDir]);
  expect(second.code).toBe(3);
  expect(isOneSentence(second.stderr), second.stderr).toBe(true);
  expect(second.stderr).toContain(`process ${service.pid} at ${service.url}`);
  expect((await call(`${service.url}/readyz`)).status).toBe(200);
});

// In the second round, the killed service had itself taken over the database of an earlier killed
// one.
describe.each(['the service', 'the service and its database'])('kill -9 of %s', (victim) => {
  test('the next start comes up by itself with everything acknowledged', async () => {
    const load = startWriteLoad(service.url, key);
    await load.untilAcknowledged(floor);
    const killed = service.kill();
    if (victim.includes('database')) workspace.killDatabase();
    await killed;
    await load.stop();
    expect(load.acknowledged.length).toBeGreaterThanOrEqual(floor);
    acknowledged.push(...load.acknowledged);

    service = await workspace.serve([], unlimited);
    await expectNothingLost();
    const after = startWriteLoad(service.url, key, { clients: 1 });
    await after.untilAcknowledged(1);
    await after.stop();
  });
});

describe('kill -9 of the database under the service', () => {
  test('requests fail in the error shape, then pass again without help', async () => {
    const load = startWriteLoad(service.url, key);
    await load.untilAcknowledged(floor);
    workspace.killDatabase();
    await until(() => load.refused.length > 0, 'a request fails');
    const probe = await call(`${service.url}/healthz`);
    await load.untilAcknowledged(floor);
    await load.stop();
    acknowledged.push(...load.acknowledged);

    expect(probe.status).toBe(200);
    expect(load.unanswered).toEqual([]);
    for (const answer of load.refused) {
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        code: 'INTERNAL_ERROR',
        message: expect.any(String),
        details: { reason: 'DATABASE_AWAY' },
      });
    }
    expect((await call(`${service.url}/readyz`)).status).toBe(200);
    await expectNothingLost();
  });
});

describe('SIGTERM', () => {
  afterEach(async () => {
    service = await workspace.serve([], unlimited);
    await expectNothingLost();
  });

  // A connection may be reset before the service has read from it; that counts as a rejection. But
  // no request may be carried out without an answer.
  test('under load on connections that are kept and that are not: every request it took is answered, and it ends cleanly', async () => {
    const carriedOutBefore = carriedOut();
    const loads = ['keep-alive', 'close'].map((connection) =>
      startWriteLoad(service.url, key, { clients: 3, headers: { connection } }),
    );
    await Promise.all(loads.map((load) => load.untilAcknowledged(floor)));
    const ended = await endsWithoutHelp();
    await Promise.all(loads.map((load) => load.stop()));
    const answered = loads.flatMap((load) => load.acknowledged);
    acknowledged.push(...answered);
    expect(ended).toEqual({ code: 0, signal: null });
    expect(loads.flatMap(({ refused }) => refused)).toEqual([]);
    expect(carriedOut() - carriedOutBefore).toBe(answered.length);
    const refusals = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'];
    const unanswered = loads.flatMap((load) => load.unanswered);
    expect(unanswered.filter((code) => !refusals.includes(code))).toEqual([]);
    expect(workspace.databaseProcesses()).toEqual([]);
  });

  test('a request that is still being sent is answered, and its idle connection does not hold the end up', async () => {
    const body = '{"name":"sent slowly"}';
    const answer = sendRaw(
      service.url,
      `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      { drip: body.slice(5), everyMs: 1000, drips: 1, waitMs: 20_000 },
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await endsWithoutHelp()).toEqual({ code: 0, signal: null });
    expect((await answer).text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

/**
 * Stops the service and waits for its end. The wait is shorter than the time after which the
 * service closes all connections by force.
 */
async function endsWithoutHelp(): Promise<Ended | undefined> {
  let ended: Ended | undefined;
  void service.stop().then((how) => {
    ended = how;
  });
  await until(() => ended !== undefined, 'it ends by itself', 15_000);
  return ended;
}

function carriedOut(): number {
  return (
    service.stderr().match(/"operationId":"createProject","method":"POST","status":201/g)?.length ??
    0
  );
}
