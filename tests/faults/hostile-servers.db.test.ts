/**
 * Tests every behaviour of a hostile server through the API of the real service. Each must give the
 * correct answer, without a failure of the service, high memory use, a stall or an open connection.
 * One PostgreSQL is enough, since its version does not matter.
 */

import {
  afterInitialize,
  type ExpectedAnswer,
  type HostileMode,
  type Step,
} from '@proofmark/harness/mcp-servers/hostile-mode.ts';
import { schemas } from '@proofmark/harness/mcp-servers/hostile-schemas.ts';
import {
  type HostileServer,
  hostileModes,
  startHostileServer,
} from '@proofmark/harness/mcp-servers/hostile-server.ts';
import { silence } from '@proofmark/harness/mcp-servers/hostile-silence.ts';
import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type MeasuredService,
  type MeasuredTenant,
  startMeasuredService,
} from './measured-service.ts';

/**
 * `shortMs` is for tests that wait for the deadline. `longMs` is for all others, so that a busy
 * machine does not reach the deadline.
 */
const shortMs = 1200;
const longMs = 15_000;
const credentials = { authorization: 'Bearer canary-token-4d1c', 'x-secret': 'canary-secret-93ab' };
const largestGrowthMegabytes = 100;
const longestStallReadings = 100;
let service: MeasuredService;
let tenant: MeasuredTenant;
let hostile: HostileServer;

describe.skipIf(process.env['PROOFMARK_TEST_CLUSTER'] === 'system')('a hostile server', () => {
  beforeAll(async () => {
    hostile = await startHostileServer();
    service = await startMeasuredService();
    tenant = await service.tenant('hostile');
    // The first calls compile code, whose cost must not be measured.
    for (let round = 0; round < 20; round += 1) await ask('polite', 'call', {});
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    expect(hostile.openSockets()).toBe(0);
    await hostile.stop();
  });

  const cases = Object.entries(hostileModes).flatMap(([name, mode]) =>
    mode.steps.map((step): [string, Step, HostileMode] => [name, step, mode]),
  );

  const waits = cases.filter(([, , { expected }]) =>
    [expected].flat().every(({ status }) => status === 504),
  );
  const answers = cases.filter((one) => !waits.includes(one));
  async function isAnsweredCheaply(name: string, step: Step, mode: HostileMode): Promise<void> {
    const measured = await calmly(() => ask(name, step, mode));
    expectAnswer(measured.result, [mode.expected].flat());
    expect(measured.grownMegabytes).toBeLessThan(largestGrowthMegabytes);
    expect(measured.stalledReadings).toBeLessThan(longestStallReadings);
    for (const secret of ['canary-token', 'canary-secret']) {
      expect(measured.result.text).not.toContain(secret);
    }
    await vi.waitUntil(() => hostile.openExchanges(name, step) === 0, { timeout: 3000 });
  }

  test.each(answers)('%s at %s is answered as it should, cheaply', isAnsweredCheaply);
  // The tests run concurrently, since each waits for its deadline. Memory and stalls are limited
  // for all of them together as for one test.
  test.concurrent.each(waits)('%s at %s is given up, cheaply', isAnsweredCheaply);

  test.each(['hangBeforeHeaders', 'hangAfterHeaders', 'byteASecond'])(
    '%s is given up at the deadline of the server, not before and not long after',
    async (name) => {
      const startedAtMs = performance.now();
      expectAnswer(await ask(name, 'call', {}), [{ status: 504, code: 'TIMEOUT' }]);
      const tookMs = performance.now() - startedAtMs;
      expect(tookMs).toBeGreaterThan(shortMs);
      expect(tookMs).toBeLessThan(shortMs + 4000);
    },
  );

  test('a request of the server for a model, an answer or our folders is refused', async () => {
    for (const name of ['asksForSampling', 'asksForElicitation', 'asksForRoots']) {
      const answer = await ask(name, 'call', {});
      const parsed = JSON.parse(answer.body.content[0].text);
      expect(parsed).toMatchObject({ id: 'from-the-server', error: { code: -32_601 } });
    }
  });

  test.each(afterInitialize)(
    'a session that the server forgot is opened anew at %s',
    async (step) => {
      const url = `${hostile.url('sessionLostOnce', step)}/of-a-used-session`;
      const askServer = await tenant.server({ url, timeout: longMs });
      expectAnswer(await askServer('validate'), [{ status: 200 }]);
      const body = step === 'call' ? { toolName: 'sample' } : {};
      expectAnswer(await askServer(operations[step], body), [{ status: 200 }]);
    },
  );

  test.each(['unauthorized', 'forbidden', 'insufficientScope', 'tooManyRequests', 'serverError'])(
    'a call that ended in %s is not sent a second time',
    async (name) => {
      const before = hostile.times(name, 'call');
      await ask(name, 'call', {});
      expect(hostile.times(name, 'call') - before).toBe(1);
    },
  );

  test('a wait that the server asks for is passed on', async () => {
    const { body } = await ask('tooManyRequests', 'call', {});
    expect(body.details).toMatchObject({ retryAfterSeconds: 17 });
  });

  test('a schema that is a trap was looked at: its outcome is told, or that there is none', async () => {
    const states: Record<string, unknown> = {};
    const traps = [
      ...Object.keys(schemas).filter((name) => name.startsWith('redos')),
      'manyProperties',
    ];
    for (const name of [...traps, 'cyclicReference', 'remoteReference', 'badPattern']) {
      states[name] = (await ask(name, 'call', {})).body.outputCheck?.state;
    }
    expect(states).toMatchObject({
      redos1: 'invalid',
      redos2: 'invalid',
      manyProperties: 'notValidated',
    });
    expect(
      Object.values(states).filter((state) => !/^(invalid|notValidated)$/.test(String(state))),
    ).toEqual([]);
  });

  test('a certificate that nobody vouches for is named as the trouble', async () => {
    const askServer = await tenant.server({ url: hostile.tlsUrl, timeout: longMs });
    expectAnswer(await askServer('validate'), [
      { status: 502, code: 'SERVER_UNREACHABLE', reason: 'CONNECT_FAILED' },
    ]);
  });

  test('no more than 64 pages are read', () => {
    expect(hostile.times('endlessPages', 'list')).toBeGreaterThan(1);
    expect(hostile.times('endlessPages', 'list')).toBeLessThanOrEqual(64 * tries);
    expect(hostile.times('repeatedCursor', 'list')).toBeLessThanOrEqual(2 * tries);
  });

  test('ten answers without an end at once cost no more than one', async () => {
    const measured = await calmly(() =>
      Promise.all(Array.from({ length: 10 }, () => ask('hugeBodyWithoutLength', 'call', {}))),
    );
    for (const answer of measured.result) {
      expectAnswer(answer, [{ status: 502, reason: 'RESPONSE_TOO_LARGE' }]);
    }
    expect(measured.grownMegabytes).toBeLessThan(largestGrowthMegabytes);
  });

  test('a doctor of a hostile server ends with a report', async () => {
    for (const name of ['hangBeforeHeaders', 'htmlPage', 'hugeBody', 'truncatedJson']) {
      const url = hostile.url(name, 'initialize');
      const answer = await (await tenant.server({ url, timeout: shortMs }))('doctor');
      expect([name, answer.status, answer.body?.status]).toEqual([name, 200, 'error']);
    }
  });

  test('nobody followed a server to another origin, and no credential was logged', () => {
    expect(hostile.hitsElsewhere).toEqual([]);
    expect(service.output()).not.toMatch(/canary-(token|secret)/);
  });
});

const operations = { initialize: 'validate', list: 'tools', call: 'tools/call' } as const;

function mayTimeOut(name: string): boolean {
  const modes: Readonly<Record<string, HostileMode>> = silence;
  const { expected = [] } = modes[name] ?? {};
  return [expected].flat().some(({ status }) => status === 504);
}

async function ask(
  name: string,
  step: Step,
  { operation }: Pick<HostileMode, 'operation'>,
): Promise<TestAnswer> {
  const url = hostile.url(name, step);
  const timeout = mayTimeOut(name) ? shortMs : longMs;
  const askServer = await tenant.server({ url, timeout, headers: credentials });
  const body = step === 'call' ? { toolName: 'sample' } : {};
  return askServer(operation ?? operations[step], body);
}

const tries = 3;

/**
 * Returns the best of a few tries. A stall or memory growth that a server causes recurs in every
 * try. A busy machine or a garbage collection affects only some tries.
 */
async function calmly<Result>(work: () => Promise<Result>) {
  for (let left = tries - 1; ; left -= 1) {
    const measured = await service.measure(work);
    const isCalm =
      measured.grownMegabytes < largestGrowthMegabytes &&
      measured.stalledReadings < longestStallReadings;
    if (isCalm || left === 0) return measured;
  }
}

function expectAnswer(answer: TestAnswer, expected: readonly ExpectedAnswer[]): void {
  const got = {
    status: answer.status,
    code: answer.body?.code,
    reason: answer.body?.details?.reason,
    message: answer.body?.message,
  };
  expect(
    expected.some(
      ({ status, code, reason }) =>
        got.status === status &&
        (code === undefined || got.code === code) &&
        (reason === undefined || got.reason === reason),
    ),
    `${JSON.stringify(got)} is none of ${JSON.stringify(expected)}`,
  ).toBe(true);
}
