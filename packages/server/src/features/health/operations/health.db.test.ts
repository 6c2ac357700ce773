import { version } from '@proofmark/contract';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepBeating } from '../../../main/worker/beat.ts';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import { claimWork } from '../../../platform/work/store/leased-work.ts';
import { recordBeat } from '../store/worker-beats.ts';

let service: TestService;
let first: Tenant;
let second: Tenant;
beforeAll(async () => {
  service = await startTestService();
  first = await createTenant(service, 'first');
  second = await createTenant(service, 'second');
});
beforeEach(async () => {
  await service.owner.sql`delete from worker_beats`;
});
afterAll(() => service.stop());

async function readAs(accountId: string) {
  const headers = await signInAs(service, accountId);
  return call(`${service.baseUrl}/console/v1/health`, { headers });
}

async function metricsLines(): Promise<string[]> {
  const { text } = await call(`${service.baseUrl}/metrics`);
  return text.split('\n').filter((line) => !line.startsWith('#'));
}

const worker = (id: string) => ({
  id,
  host: 'north',
  processId: 41,
  version: '1.2.3',
  trialsAtOnce: 8,
});
const silence = (id: string, seconds: number) =>
  service.owner.sql`
    update worker_beats set beat_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = ${id}`;

describe('who may see it', () => {
  test('owners and admins of the first organization, and nobody else', async () => {
    const admin = await createMember(service, first, 'admin');
    const member = await createMember(service, first, 'member', 'admin');
    expect((await readAs(first.accountId)).status).toBe(200);
    expect((await readAs(admin.accountId)).status).toBe(200);
    for (const accountId of [member.accountId, second.accountId]) {
      const refused = await readAs(accountId);
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(refused.text).not.toContain(version);
    }
  });

  test('no key, however its owner stands', async () => {
    const answer = await call(`${service.baseUrl}/console/v1/health`, { key: first.key });
    expect(answer.status).toBe(403);
  });

  test('the session says who, so that the console leads nobody to a closed page', async () => {
    for (const [accountId, operatesInstallation] of [
      [first.accountId, true],
      [second.accountId, false],
    ] as const) {
      const headers = await signInAs(service, accountId);
      const { body } = await call(`${service.baseUrl}/console/v1/session`, { headers });
      expect(body).toMatchObject({ operatesInstallation });
    }
  });
});

describe('what it says', () => {
  test('the version, the database, and the disk', async () => {
    const { body } = await readAs(first.accountId);
    expect(body).toMatchObject({
      version,
      database: { version: expect.stringMatching(/^\d+/), sizeBytes: expect.any(Number) },
      disk: { freeBytes: 60, totalBytes: 100, holdsDatabase: true, refusesWrites: false },
      widgets: { testable: false, reason: expect.stringMatching(/widgets/) },
    });
    expect(body.database.sizeBytes).toBeGreaterThan(1_000_000);
  });

  test('workers, each with its last beat; one that stops in order is gone, one that died is silent', async () => {
    const stop = keepBeating(service.database, worker('alive'));
    try {
      await recordBeat(service.database, worker('dead'));
      await silence('dead', 31);
      const { body } = await vi.waitUntil(async () => {
        const read = await readAs(first.accountId);
        return read.body.workers.length === 2 && read;
      }, 20_000);
      expect(body.workers).toMatchObject([
        { host: 'north', processId: 41, version: '1.2.3', trialsAtOnce: 8, silent: false },
        { silent: true },
      ]);
      expect(body.workers[1].secondsSinceBeat).toBeGreaterThanOrEqual(31);
      expect(body.problems).toContain('silentWorker');
      expect(await metricsLines()).toEqual(
        expect.arrayContaining([
          'proofmark_workers{state="alive"} 1',
          'proofmark_workers{state="silent"} 1',
        ]),
      );
    } finally {
      await stop();
    }
    const { body } = await readAs(first.accountId);
    expect(body.workers).toMatchObject([{ silent: true }]);
    expect(body.problems).toContain('noWorker');
  });

  test('a worker that has been silent for a day is forgotten', async () => {
    for (const id of ['yesterday', 'today']) await recordBeat(service.database, worker(id));
    await silence('yesterday', 86_500);
    expect(await housekeeping(service.database)).toMatchObject({ oldBeats: 1 });
    expect((await readAs(first.accountId)).body.workers).toHaveLength(1);
  });

  test('what waits and what is leased, over all organizations', async () => {
    const before = (await readAs(first.accountId)).body;
    const launched = await createLauncher(service, second).launch();
    const trials = async () => {
      const { body } = await readAs(first.accountId);
      return body.work.find(({ kind }: { kind: string }) => kind === 'eval-trials');
    };
    expect((await readAs(first.accountId)).body.openRuns).toEqual({
      ...before.openRuns,
      launched: before.openRuns.launched + 1,
    });
    expect(await trials()).toMatchObject({ waiting: 1, leased: 0, silent: 0 });
    await service.owner
      .sql`update eval_runs set created_at = now() - interval '10 minutes' where id = ${launched}`;
    const waited = (await readAs(first.accountId)).body;
    expect((await trials()).longestWaitSeconds).toBeGreaterThanOrEqual(600);
    expect(waited.problems).toContain('workWaits');
    await claimWork(service.database.sql, 'eval-trials', 1, 60_000);
    expect(await trials()).toMatchObject({ waiting: 0, leased: 1, longestWaitSeconds: 0 });
    await service.owner.sql`update leased_work set leased_until = now() - interval '1 second'`;
    expect(await trials()).toMatchObject({ leased: 1, silent: 1 });
    expect(await metricsLines()).toEqual(
      expect.arrayContaining([
        'proofmark_work_slices{kind="eval-trials",state="leased"} 0',
        'proofmark_work_slices{kind="eval-trials",state="silent"} 1',
        'proofmark_database_up 1',
      ]),
    );
  });
});
