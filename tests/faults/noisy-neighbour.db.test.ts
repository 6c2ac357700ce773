import {
  type HostileServer,
  startHostileServer,
} from '@proofmark/harness/mcp-servers/hostile-server.ts';
import type { TestAnswer } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type MeasuredService, startMeasuredService } from './measured-service.ts';

const hangingServers = 50;
const callsToEach = 4;
const timeoutMs = 12_000;

describe.skipIf(process.env['PROOFMARK_TEST_CLUSTER'] === 'system')('a noisy neighbour', () => {
  let service: MeasuredService;
  let hostile: HostileServer;
  beforeAll(async () => {
    hostile = await startHostileServer();
    service = await startMeasuredService();
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await hostile.stop();
  });

  test('gets TIMEOUT or RATE_LIMITED, while everybody else is served before its first deadline', async () => {
    const noisy = await service.tenant('noisy');
    const quiet = await service.tenant('quiet');
    const hanging = await Promise.all(
      Array.from({ length: hangingServers }, () =>
        noisy.server({ url: hostile.url('hangBeforeHeaders', 'initialize'), timeout: timeoutMs }),
      ),
    );
    const ask = await quiet.server({ url: hostile.url('polite', 'call'), timeout: timeoutMs });
    await ask('validate');
    const noisyAnswers: TestAnswer[] = [];
    const noise = hanging.flatMap((askHanging) =>
      Array.from({ length: callsToEach }, async () => {
        noisyAnswers.push(await askHanging('tools/call', { toolName: 'sample' }));
      }),
    );
    await vi.waitUntil(() => hostile.openExchanges('hangBeforeHeaders', 'initialize') > 20, {
      timeout: 5000,
    });
    for (let round = 0; round < 10; round += 1) {
      const fresh = await quiet.server({ url: hostile.url('polite', 'list'), timeout: timeoutMs });
      for (const answer of await Promise.all([
        ask('tools/call', { toolName: 'sample' }),
        fresh('tools'),
      ])) {
        expect(answer.status, answer.text).toBe(200);
      }
    }
    const beforeTheQuietOneWasServed = new Set(noisyAnswers.map(({ body }) => body.code));
    await Promise.all(noise);
    const codes = noisyAnswers.map(({ status, body }) => `${status} ${body.code}`);
    expect(new Set(codes)).toEqual(new Set(['429 RATE_LIMITED', '504 TIMEOUT']));
    expect(beforeTheQuietOneWasServed).not.toContain('TIMEOUT');
    for (const { status, headers } of noisyAnswers) {
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await vi.waitUntil(() => hostile.openExchanges('hangBeforeHeaders', 'initialize') === 0, {
      timeout: 5000,
    });
  }, 60_000);
});
