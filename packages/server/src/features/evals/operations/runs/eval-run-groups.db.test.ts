/**
 * Tests groups of launches over HTTP in an organization with one slot: either all targets are
 * launched or none, and the group holds the slot.
 */
import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let second: { baseUrl: string; stop(): Promise<void> };
let tenant: Tenant;
let launcher: Launcher;
let environmentIds: string[];
let unattachedId: string;
let suiteId: string;
let savedId: string;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1 } });
  second = await service.another();
  tenant = await createTenant(service, 'acme');
  launcher = createLauncher(service, tenant);
  const made: string[] = [];
  for (let count = 0; count < 4; count += 1) made.push(await launcher.environment());
  [unattachedId = '', ...environmentIds] = made;
  suiteId = await launcher.suite({}, { environmentIds });
  savedId = await launcher.suite();
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});
afterEach(async () => {
  for (const { id } of await runs("status in ('pending', 'running')")) await cancel(id);
});

const runs = (where = 'true') =>
  service.owner.sql.unsafe<{ id: string; suiteId: string; slotGroupId: string | null }[]>(
    `select id, suite_id, slot_group_id from eval_runs
      where source <> 'sdk' and ${where} order by created_at, run_number`,
  );
const cancel = async (runId: string) => {
  const ended = await launcher.ask('POST', `eval-runs/${runId}/cancel`);
  expect(ended.status, ended.text).toBe(200);
};
const inEnvironments = (ids: readonly string[] = environmentIds) =>
  ids.map((environmentId) => ({ environmentId }));
const launchGroup = (more: object = {}, key?: string, baseUrl = service.baseUrl) =>
  call(`${baseUrl}/api/v1/projects/${tenant.projectId}/eval-run-groups`, {
    method: 'POST',
    key: tenant.key,
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    body: { suiteId, targets: inEnvironments(), ...more },
  });
const single = () => launcher.ask('POST', 'eval-runs', { suiteId: savedId });
const nothingStarted = async (work: () => Promise<void>) => {
  const before = await runs();
  await work();
  expect(await runs()).toEqual(before);
};

describe('a group', () => {
  test('of three takes one slot, which is held until its last run has ended', async () => {
    const launched = await launchGroup({ notes: 'All three.' });
    expect(launched.status, launched.text).toBe(202);
    const { runGroupId, targets, runId } = launched.body;
    expect(launched.body).toMatchObject({
      suiteId,
      outcome: 'started',
      startedCount: 3,
      failedCount: 0,
      runId: targets[0].runId,
      status: 'pending',
      caseUpsert: { committed: [], failed: [] },
      servers: [{ id: tenant.serverId, name: 'Sample' }],
      environment: { id: environmentIds[0], revision: 2 },
    });
    expect(runGroupId).toMatch(/^[0-9a-f]{32}$/);
    for (const [index, one] of targets.entries()) {
      expect(one).toEqual({
        target: { environmentId: environmentIds[index], name: one.environment.name },
        status: 'started',
        runId: expect.stringMatching(/^run_/),
        runStatus: 'pending',
        servers: [{ id: tenant.serverId, name: 'Sample' }],
        environment: { id: environmentIds[index], name: expect.any(String), revision: 2 },
        caseUpsert: { committed: [], failed: [] },
      });
    }
    const ids = targets.map((one: { runId: string }) => one.runId);
    expect(new Set(ids).size).toBe(3);
    const read = await launcher.ask('GET', `eval-run-groups/${runGroupId}`);
    expect(read.body).toMatchObject({ runGroupId, suiteId });
    expect(read.body.runs.map((run: { id: string }) => run.id)).toEqual(ids);
    const {
      insights: _onReadsAlone,
      plans: _alike,
      ...run
    } = (await launcher.ask('GET', `eval-runs/${runId}`)).body;
    expect(read.body.runs[0]).toEqual(run);
    expect(read.body.runs[0]).toMatchObject({ runGroupId, notes: 'All three.' });

    for (const id of ids) {
      const refused = await single();
      expect(refused.status, refused.text).toBe(429);
      expect(refused.body.details).toEqual({
        reason: 'CONCURRENT_RUN_LIMIT',
        limit: 1,
        openRuns: 1,
      });
      await nothingStarted(async () => {
        const group = await launchGroup();
        expect(group.status, group.text).toBe(429);
        expect(group.body.details.reason).toBe('CONCURRENT_RUN_LIMIT');
      });
      await cancel(id);
    }
    expect((await single()).status).toBe(202);
  });

  test('plays all its runs on the model and with it that it names', async () => {
    const overlay = { servers: [{ serverName: 'Sample', tools: [{ name: 'echo', title: 'E' }] }] };
    const model = 'proofmark/lexical-1';
    const { targets } = (await launchGroup({ overlay, model })).body;
    expect(targets).toHaveLength(3);
    for (const { runId } of targets) {
      const run = (await launcher.ask('GET', `eval-runs/${runId}`)).body;
      expect(run.overlay).toMatchObject({ tools: 1, stated: overlay });
      const { items } = (await launcher.ask('GET', `eval-runs/${runId}/iterations`)).body;
      expect(items.map((trial: { model: string }) => trial.model)).toEqual([model]);
    }
    await nothingStarted(async () => {
      const tools = [{ name: 'echo', inputSchema: 1 }];
      const refused = await launchGroup({ overlay: { servers: [{ serverName: 'X', tools }] } });
      expect(refused.status, refused.text).toBe(400);
    });
  });

  test('holds its slot between two launches, also when the first of its runs has ended meanwhile', async () => {
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from environments where id = ${environmentIds[1] ?? ''} for update`;
      const started = launchGroup();
      await untilWaiting(sql, 1);
      const [first] = await runs("status = 'pending'");
      await cancel(first?.id ?? '');
      const refused = await single();
      expect(refused.status, refused.text).toBe(429);
      return { going: started };
    });
    const launched = await going;
    expect(launched.body).toMatchObject({ outcome: 'started', startedCount: 3 });
  });

  test('of a process that was killed gives its slot back after a while', async () => {
    const { runGroupId, targets } = (await launchGroup()).body;
    for (const { runId } of targets) await cancel(runId);
    const holdUntil = (when: string) =>
      service.owner.sql`
        update eval_run_groups set launching_until = now() + ${when}::interval where id = ${runGroupId}`;
    await holdUntil('30 seconds');
    expect((await single()).status).toBe(429);
    await holdUntil('-1 second');
    expect((await single()).status).toBe(202);
  });

  test('tells of a launch that fails, and goes on with the others', async () => {
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`update environments set revision = revision + 1 where id = ${environmentIds[0] ?? ''}`;
      const started = launchGroup();
      await untilWaiting(sql, 1);
      return { going: started };
    });
    const launched = await going;
    expect(launched.status, launched.text).toBe(202);
    expect(launched.body).toMatchObject({ outcome: 'partial', startedCount: 2, failedCount: 1 });
    expect(launched.body.targets[0]).toEqual({
      target: { environmentId: environmentIds[0], name: expect.any(String) },
      status: 'failed',
      error: { code: 'CONFLICT', message: expect.stringContaining('was changed') },
    });
    expect(launched.body.runId).toBe(launched.body.targets[1].runId);
    await service.owner
      .sql`update environments set revision = 2 where id = ${environmentIds[0] ?? ''}`;
  });

  test('of the clients of a suite runs each of them, named twice or once', async () => {
    const ofClients = await launcher.suite(
      {},
      { hosts: [{ host: tenant.hostId, servers: [tenant.serverId] }] },
    );
    const target = { namedHostId: tenant.hostId };
    const launched = await launchGroup({ suiteId: ofClients, targets: [target, target] });
    expect(launched.status, launched.text).toBe(202);
    expect(launched.body.targets).toMatchObject([
      { target: { ...target, name: 'Default client' }, status: 'started', environment: null },
    ]);
  });

  test('is none where single launches have one label: each takes a slot', async () => {
    const labelled = launcher.inline({ runGroupId: 'ours' });
    expect((await launcher.ask('POST', 'eval-runs', labelled)).status).toBe(202);
    expect(
      (await launcher.ask('POST', 'eval-runs', launcher.inline({ runGroupId: 'ours' }))).status,
    ).toBe(429);
    expect((await launcher.ask('GET', 'eval-run-groups/ours')).status).toBe(404);
  });
});

describe('nothing is started where', () => {
  const refusals: readonly [string, () => object, number, object][] = [
    [
      'one target is not attached',
      () => ({ targets: inEnvironments([...environmentIds, unattachedId]) }),
      400,
      { path: 'body.targets[3].environmentId', reason: 'ENVIRONMENT_NOT_ATTACHED' },
    ],
    [
      'one client is not attached',
      () => ({ targets: [{ namedHostId: tenant.hostId }] }),
      400,
      { path: 'body.targets[0].namedHostId', reason: 'HOST_NOT_ATTACHED', hostIds: [] },
    ],
    [
      'targets are of two kinds',
      () => ({ targets: [...inEnvironments(), { namedHostId: tenant.hostId }] }),
      400,
      { path: 'body.targets', reason: 'HETEROGENEOUS_TARGETS' },
    ],
    [
      'a target is both',
      () => ({ targets: [{ environmentId: 'a', namedHostId: 'b' }] }),
      400,
      { path: 'body.targets[0]' },
    ],
    ['a target is neither', () => ({ targets: [{}] }), 400, { path: 'body.targets[0]' }],
    ['there is no target', () => ({ targets: [] }), 400, { path: 'body.targets' }],
    [
      'there are eleven',
      () => ({ targets: Array.from({ length: 11 }, () => ({ environmentId: 'a' })) }),
      400,
      { path: 'body.targets' },
    ],
    [
      'servers are given',
      () => ({ serverIds: [tenant.serverId] }),
      400,
      { path: 'body.serverIds' },
    ],
    [
      'a case is not of the suite',
      () => ({ caseIds: ['none'] }),
      400,
      { reason: 'CASE_NOT_FOUND' },
    ],
  ];
  test.each(refusals)('%s', async (_name, more, status, details) => {
    await nothingStarted(async () => {
      const refused = await launchGroup(more());
      expect(refused.status, refused.text).toBe(status);
      expect(refused.body.details).toMatchObject(details);
    });
  });

  test('the suite is not there, or of others', async () => {
    const theirs = await createTenant(service, unique('other').toLowerCase());
    for (const id of ['none', theirs.suiteId]) {
      expect((await launchGroup({ suiteId: id })).status).toBe(404);
    }
  });

  test('an environment is archived, or a client is gone', async () => {
    const archivedId = await launcher.environment();
    const client = await launcher.ask('POST', 'clients', {
      name: unique('Client'),
      config: { modelId: 'proofmark/lexical-1' },
    });
    const clientId = client.body.id;
    const ofBoth = [
      {
        suiteId: await launcher.suite({}, { environmentIds: [...environmentIds, archivedId] }),
        targets: inEnvironments([...environmentIds.slice(0, 2), archivedId]),
        details: { path: 'body.targets[2].environmentId', code: 'ENV_ARCHIVED' },
      },
      {
        suiteId: await launcher.suite({}, { hosts: [{ host: clientId }] }),
        targets: [{ namedHostId: clientId }],
        details: { path: 'body.targets[0].namedHostId', code: 'HOST_NOT_FOUND' },
      },
    ];
    const gone = [
      await launcher.ask('POST', `environments/${archivedId}/archive`, { expectedRevision: 2 }),
      await launcher.ask('DELETE', `clients/${clientId}`),
    ];
    for (const { status, text } of gone) expect(status, text).toBe(200);
    for (const { details, ...body } of ofBoth) {
      await nothingStarted(async () => {
        const refused = await launchGroup(body);
        expect(refused.status, refused.text).toBe(409);
        expect(refused.body.details).toMatchObject(details);
      });
    }
  });
});

describe('a key', () => {
  test('answers again with the runs it started, also when the slot is taken or a target is gone', async () => {
    const key = unique('key');
    const body = { suiteId: await launcher.suite({}, { environmentIds }) };
    const first = await launchGroup({ ...body, idempotencyKey: 'loses' }, key);
    expect(first.status, first.text).toBe(202);
    for (const { runId } of first.body.targets) await cancel(runId);
    expect((await single()).status).toBe(202);
    const rest = environmentIds.slice(1);
    await launcher.ask('PATCH', `eval-suites/${body.suiteId}`, { environmentIds: rest });
    const again = await launchGroup({ ...body, idempotencyKey: key });
    expect(again.status, again.text).toBe(202);
    const asEnded = { deduped: true, runStatus: 'cancelled' };
    expect(again.body).toEqual({
      ...first.body,
      status: 'cancelled',
      targets: first.body.targets.map((one: object) => ({ ...one, ...asEnded })),
    });
  });

  test('that launched something else is refused, whatever differs', async () => {
    const key = unique('key');
    expect((await launchGroup({}, key)).status).toBe(202);
    const otherSuite = await launcher.suite({}, { environmentIds });
    const changes = [
      { notes: 'Other.' },
      { targets: inEnvironments(environmentIds.slice(1)) },
      { suiteId: otherSuite },
    ];
    for (const change of changes) {
      await nothingStarted(async () => {
        const refused = await launchGroup(change, key);
        expect(refused.status, refused.text).toBe(409);
        expect(refused.body.details).toEqual({ reason: 'IDEMPOTENCY_KEY_REUSED' });
      });
    }
  });

  test('that was refused is not used up', async () => {
    const key = unique('key');
    const wrong = { targets: inEnvironments([unattachedId]) };
    expect((await launchGroup(wrong, key)).status).toBe(400);
    expect((await launchGroup({}, key)).status).toBe(202);
  });

  test('finds after a crash the run that was started, and starts the others', async () => {
    const key = unique('key');
    const { sql } = service.owner;
    // This trigger makes the second launch of the group fail.
    await sql.unsafe(`
      create function die() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
      create trigger die before insert on eval_runs for each row
        when (new.slot_group_id is not null and new.snapshot like '%${environmentIds[1]}%')
        execute function die()`);
    try {
      expect((await launchGroup({}, key)).status).toBe(500);
    } finally {
      await sql.unsafe('drop trigger die on eval_runs; drop function die()');
    }
    const [started, ...others] = await runs("status = 'pending'");
    expect(others).toEqual([]);
    const again = await launchGroup({}, key, second.baseUrl);
    expect(again.status, again.text).toBe(202);
    expect(again.body.outcome).toBe('started');
    expect(again.body.targets[0]).toMatchObject({ runId: started?.id, deduped: true });
    expect(again.body.targets[1].deduped).toBeUndefined();
    expect(await runs("status = 'pending'")).toHaveLength(3);
  });

  test('sent twenty times at once starts each target once, and every answer names the same runs', async () => {
    const key = unique('key');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        launchGroup({}, key, at % 2 === 0 ? service.baseUrl : second.baseUrl),
      ),
    );
    for (const { status, text } of answers) expect(status, text).toBe(202);
    const named = answers.map(({ body }) =>
      body.targets.map((one: { runId: string }) => one.runId).join(),
    );
    expect(new Set(named).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.runGroupId)).size).toBe(1);
    expect(await runs("status = 'pending'")).toHaveLength(3);
  });
});

test('of twenty groups at once one gets the slot, and of the others nothing is started', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      launchGroup({}, undefined, at % 2 === 0 ? service.baseUrl : second.baseUrl),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(19).fill(429)]);
  expect(await runs("status = 'pending'")).toHaveLength(3);
});
