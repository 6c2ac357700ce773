import { createLauncher } from '@proofmark/harness/launcher.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { mintUpload, sendFile } from '@proofmark/harness/uploads.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
const disk = {
  isFull: false,
  heardOf: 0,
  reportFull() {
    disk.heardOf += 1;
  },
};
beforeAll(async () => {
  service = await startTestService({ disk, rateLimit: { perMinute: 6000, burst: 1000 } });
  tenant = await createTenant(service, 'full');
});
beforeEach(() => {
  Object.assign(disk, { isFull: false, heardOf: 0 });
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: object) =>
  call(`${service.baseUrl}/api/v1/projects${path}`, { method, key: tenant.key, body });
const make = () => ask('POST', '', { name: unique('Project') });
const diskFull = {
  status: 503,
  body: {
    code: 'INTERNAL_ERROR',
    message:
      'The disk of the database is full, so writes are rejected; reading works. Try again when the operator has freed space.',
    details: { reason: 'DISK_FULL', retryAfterSeconds: 5 },
  },
};

describe('a disk that is nearly full', () => {
  test('refuses what takes room, and goes on reading and deleting', async () => {
    const project = (await make()).body.id;
    const upload = await mintUpload(service, tenant);
    disk.isFull = true;
    const refused = await make();
    expect(refused).toMatchObject(diskFull);
    expect(refused.headers.get('retry-after')).toBe('5');
    const run = await ask('POST', `/${tenant.projectId}/eval-runs`, { suiteId: tenant.suiteId });
    expect(run).toMatchObject(diskFull);
    expect(await sendFile(upload.uploadUrl, 'abc')).toMatchObject(diskFull);
    // The service itself refused these writes, so they must not count as a full disk reported by
    // PostgreSQL.
    expect(disk.heardOf).toBe(0);
    expect((await ask('GET', `/${tenant.projectId}/eval-runs/${tenant.runId}`)).status).toBe(200);
    expect((await ask('DELETE', `/${project}`)).status).toBe(200);
    disk.isFull = false;
    expect((await make()).status).toBe(201);
    expect((await sendFile(upload.uploadUrl, 'abc')).status).toBe(200);
  });

  test('lets a run be cancelled, which ends what would be written', async () => {
    const launcher = createLauncher(service, tenant);
    const runId = await launcher.launch();
    disk.isFull = true;
    const cancelled = await launcher.ask('POST', `eval-runs/${runId}/cancel`);
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(cancelled.body.status).toBe('cancelled');
  });

  test('tells nothing to whom it does not know', async () => {
    disk.isFull = true;
    const unknown = await call(`${service.baseUrl}/api/v1/projects`, {
      method: 'POST',
      key: 'sk_unknown',
      body: {},
    });
    expect(unknown.status).toBe(401);
  });

  test('is told by the probe, which stays ready to be read', async () => {
    const probe = () => call(`${service.baseUrl}/readyz`);
    expect(await probe()).toMatchObject({ status: 200, body: { status: 'ready' } });
    disk.isFull = true;
    expect(await probe()).toMatchObject({
      status: 200,
      body: { status: 'ready', writes: 'refused', reason: 'DISK_FULL' },
    });
  });
});

describe('a PostgreSQL that says its disk is full', () => {
  const whileFull = async (table: string, work: () => Promise<void>) => {
    const { sql } = service.owner;
    await sql.unsafe(`
      create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger no_room before insert or update on ${table}
        for each row execute function no_room();`);
    try {
      await work();
    } finally {
      await sql.unsafe('drop function no_room() cascade');
    }
  };

  test('is answered in the same shape, remembered, and not taken for our own failure', async () => {
    await whileFull('projects', async () => {
      expect(await make()).toMatchObject(diskFull);
    });
    expect(disk.heardOf).toBe(1);
    expect(service.logLines.join()).not.toContain('request failed');
    expect((await make()).status).toBe(201);
  });

  test('does not keep anybody from reading, though no token can be written down', async () => {
    await whileFull('rate_limits', async () => {
      expect((await ask('GET', `/${tenant.projectId}/eval-runs/${tenant.runId}`)).status).toBe(200);
    });
    expect(disk.heardOf).toBe(1);
  });
});
