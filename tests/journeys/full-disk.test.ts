import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { canMount } from '@proofmark/harness/can-mount.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
let mounted = false;
afterAll(async () => {
  await workspace.remove().catch(() => undefined);
  if (mounted) execFileSync('umount', ['-l', workspace.dataDir]);
  await workspace.remove();
});
const megabyte = 1024 * 1024;
/** The test writes once per second, and writes must succeed within 5 s of free space. */
const mostRefusedWithSpace = 5;

test.runIf(canMount())(
  'a disk that fills up keeps reads, and writes come back with room',
  async () => {
    mkdirSync(workspace.dataDir);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m,mode=755', 'tmpfs', workspace.dataDir]);
    mounted = true;
    const { url } = await workspace.serveHere([], { PROOFMARK_DISK_RESERVE_MB: '96' });
    const { apiKey: key, projectId } = await workspace.admin(
      ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    );
    const projects = `${url}/api/v1/projects`;
    let count = 0;
    const make = () => {
      count += 1;
      return call(projects, { method: 'POST', key, body: { name: `Project ${count}` } });
    };
    const probe = () => call(`${url}/readyz`);
    expect((await make()).status).toBe(201);

    const { bavail, bsize } = statfsSync(workspace.dataDir);
    const filling = `${workspace.dataDir}/filling`;
    const free = Math.floor((bavail * bsize) / megabyte);
    execFileSync('fallocate', ['-l', `${free - 64}M`, filling]);
    await until(
      async () => (await probe()).body.writes === 'refused',
      'the disk is seen to be full',
    );
    const refused = await make();
    expect(refused).toMatchObject({ status: 503, body: { details: { reason: 'DISK_FULL' } } });
    expect(refused.headers.get('retry-after')).toBe('5');
    const read = await call(`${projects}/${projectId}/capabilities`, { key });
    expect(read.status).toBe(200);
    expect((await workspace.admin('health')).problems).toContain('writesRefused');
    const metrics = await fetch(`${url}/metrics`);
    expect(await metrics.text()).toContain('\nproofmark_writes_refused 1\n');

    // Writes every second, both without and with free space. A rejection must not cause further
    // ones.
    for (let count = 0; count < 3; count += 1) {
      expect((await make()).status).toBe(503);
      await pause(1000);
    }
    rmSync(filling);
    let refusals = 0;
    while ((await make()).status === 503 && refusals <= mostRefusedWithSpace) {
      refusals += 1;
      await pause(1000);
    }
    expect(refusals).toBeLessThanOrEqual(mostRefusedWithSpace);
    expect((await make()).status).toBe(201);
    expect((await probe()).body.writes).toBeUndefined();
  },
);
