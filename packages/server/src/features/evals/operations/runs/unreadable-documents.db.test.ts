/**
 * Tests unreadable stored documents: only the affected part is unavailable, no read fails, and no
 * list lacks a row. Each document is corrupted in the database in several ways and read over HTTP.
 */

import { createLauncher, weatherSteps as steps } from '@proofmark/harness/launcher.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, failing, passing } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let ask: ProjectCaller;
const place = { suiteId: '', authoredId: '', caseId: '', legacyId: '' };
let whole: Awaited<ReturnType<typeof read>>;
const ids = { reported: '', before: '', launched: '', trial: '', launchedTrial: '' };

beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'broken');
  const launcher = createLauncher(service, tenant);
  ask = launcher.ask;
  const { ingest } = createReporter(service, tenant);
  const score = {
    scorerId: 's',
    scorerVersion: '1',
    definitionHash: 'h',
    status: 'scored',
    value: 1,
    passThreshold: 0.5,
    deterministic: true,
  };
  const definition = { scorerId: 's', scorerVersion: '1', role: 'gating', onError: 'fail' };
  const metadata = {
    scores: [score],
    evaluationConfig: { hash: 'c', definitions: [{ ...definition, passThreshold: 0.5 }] },
  };
  const run = { suiteName: 'Broken', ci: { a: 1 }, results: [{ ...failing, metadata }, passing] };
  ids.before = (await ingest('report', run)).body.runId;
  const { body } = await ingest('report', run);
  Object.assign(ids, { reported: body.runId });
  place.suiteId = body.suiteId;
  const legacy = { suiteName: 'Percent', passCriteria: { minimumPassRate: 90 } };
  place.legacyId = (await ingest('report', { ...legacy, results: [failing] })).body.runId;
  await ask('POST', `eval-runs/${place.legacyId}/gate-waivers`, {
    expiresAt: Date.now() + 3_600_000,
    reason: 'known',
  });
  const made = await ask('POST', 'eval-suites', {
    name: 'Authored',
    serverIds: [tenant.serverId],
    model: 'proofmark/lexical-1',
    tests: [{ title: 'One', steps }],
  });
  place.authoredId = made.body.suiteId;
  place.caseId = (await ask('GET', `eval-suites/${place.authoredId}/cases`)).body.items[0].id;
  for (const _ of [1, 2]) {
    const launched = await ask('POST', 'eval-runs', { suiteId: place.authoredId });
    expect(launched.status, launched.text).toBe(202);
    ids.launched = launched.body.runId;
    await ask('POST', `eval-runs/${ids.launched}/cancel`);
  }
  ids.trial = (await ask('GET', `eval-runs/${ids.reported}/iterations`)).body.items[0].id;
  const { items } = (await ask('GET', `eval-runs/${ids.launched}/iterations`)).body;
  ids.launchedTrial = items[0].id;
  const { sql } = service.owner;
  // A trigger forbids changes of a decided run, so the test disables it.
  await sql`alter table eval_runs disable trigger keep_decided`;
  await sql`update eval_runs set status = 'completed'`;
  whole = await read();
  await sql`insert into tool_surfaces (organization_id, hash, surface)
    values (${tenant.organizationId}, 'tools', '{"srv":[{"name":"a"}]}')`;
  await sql`update eval_iterations set tool_surface_hash = 'tools' where run_id = ${ids.launched}`;
});
afterAll(() => service.stop());

const readings = (): Record<string, string> => ({
  run: `eval-runs/${ids.reported}`,
  'launched run': `eval-runs/${ids.launched}`,
  'legacy run': `eval-runs/${place.legacyId}`,
  summary: `eval-runs/${ids.reported}/decision-summary`,
  'launched summary': `eval-runs/${ids.launched}/decision-summary`,
  trials: `eval-runs/${ids.reported}/iterations`,
  trial: `eval-runs/${ids.reported}/iterations/${ids.trial}`,
  trace: `eval-runs/${ids.reported}/iterations/${ids.trial}/trace`,
  tools: `eval-runs/${ids.launched}/iterations/${ids.launchedTrial}/tools`,
  compare: `eval-runs/${ids.reported}/compare`,
  'launched compare': `eval-runs/${ids.launched}/compare`,
  suites: 'eval-suites',
  suite: `eval-suites/${place.authoredId}`,
  'reported suite': `eval-suites/${place.suiteId}`,
  runs: `eval-suites/${place.suiteId}/runs`,
  'launched runs': `eval-suites/${place.authoredId}/runs`,
  cases: `eval-suites/${place.authoredId}/cases`,
  case: `eval-suites/${place.authoredId}/cases/${place.caseId}`,
  export: `eval-suites/${place.authoredId}/export`,
  waiver: `eval-runs/${place.legacyId}/gate-waivers`,
});

const unavailable: Record<string, readonly string[]> = {
  'eval_traces.trace': ['trace'],
  'tool_surfaces.surface': ['tools'],
  'eval_suites.definition': ['export'],
  'eval_cases.definition': ['export'],
};

describe.each([
  'eval_runs.snapshot',
  'eval_runs.verdict_summary',
  'eval_runs.case_titles',
  'eval_runs.ci',
  'eval_runs.judge_cases',
  'eval_run_plans.plan',
  'eval_iterations.usage',
  'eval_iterations.expected_tool_calls',
  'eval_iterations.actual_tool_calls',
  'eval_iterations.chain',
  'eval_iterations.scores',
  'evaluation_configs.config',
  'eval_traces.trace',
  'eval_traces.details',
  'tool_surfaces.surface',
  'gate_waivers.policy_snapshot',
  'eval_suites.definition',
  'eval_suites.hosts',
  'eval_cases.definition',
])('%s', (column) => {
  test('that is no JSON, or not of its shape, breaks no reading', async () => {
    const [table = '', name = ''] = column.split('.');
    const { sql } = service.owner;
    await sql`alter table ${sql(table)} add column kept text`;
    await sql`update ${sql(table)} set kept = ${sql(name)}`;
    for (const value of ['{"cut', '{}', '[null]']) {
      await sql`update ${sql(table)} set ${sql(name)} = ${value} where kept is not null`;
      await forget();
      for (const [reading, answer] of Object.entries(await read())) {
        const where = `${reading} over ${column} = ${value}: ${answer.text}`;
        if (unavailable[column]?.includes(reading)) {
          expect([200, 404, 409], where).toContain(answer.status);
        } else expect(answer.status, where).toBe(200);
        expect(answer.body.items?.length, where).toBe(whole[reading]?.body.items?.length);
      }
    }
    await sql`update ${sql(table)} set ${sql(name)} = kept where kept is not null`;
    await sql`alter table ${sql(table)} drop column kept`;
    await forget();
  });
});

/** Cached reads depend on the revision of the run, so a new revision invalidates them. */
async function forget(): Promise<void> {
  await service.owner.sql`update eval_runs set revision = revision + 1`;
}

async function read() {
  const answers = await Promise.all(
    Object.entries(readings()).map(async ([name, path]) => [name, await ask('GET', path)] as const),
  );
  return Object.fromEntries(answers);
}

test('unreadable parts are told as unavailable, and nothing is decided by them', async () => {
  const { sql } = service.owner;
  await sql`update eval_runs set verdict_summary = '{', snapshot = '{' where id = ${ids.reported}`;
  await sql`
    update eval_iterations set chain = '{', scores = '{', usage = '{' where run_id = ${ids.reported}`;
  await sql`update eval_traces set trace = '{' where run_id = ${ids.reported}`;
  await forget();
  expect((await ask('GET', `eval-runs/${ids.reported}/decision-summary`)).body).toMatchObject({
    verdict: 'notEstablished',
    undecided: { reason: 'verdictSummaryUnavailable' },
    diagnostics: { items: [{ chain: { status: 'unverified' } }] },
  });
  const trial = (await ask('GET', `eval-runs/${ids.reported}/iterations`)).body.items[0];
  expect(trial).toMatchObject({
    stageResultsUnverified: true,
    scoreIntegrity: 'score_integrity_invalid',
    usage: null,
  });
  const trace = await ask('GET', `eval-runs/${ids.reported}/iterations/${ids.trial}/trace`);
  expect(trace.body.details).toEqual({ reason: 'TRACE_NOT_AVAILABLE' });
});

test.each(['{"cut', '{}', '[null]', '"text"'])(
  '%s in a list of tools fails no suite that is made',
  async (tools) => {
    const { sql } = service.owner;
    const { organizationId: organization_id, serverId: server_id } = tenant;
    await sql`insert into listed_tools ${sql({ organization_id, server_id, tools, by_trial: true })}
    on conflict (server_id) do update set tools = excluded.tools, listed_at = now()`;
    const made = await ask('POST', 'eval-suites', {
      name: 'Unlisted',
      serverIds: [tenant.serverId],
      model: 'proofmark/lexical-1',
      tests: [{ title: 'One', steps }],
    });
    expect(made.status, made.text).toBe(201);
  },
);

test.each(['{"cut', '{}', '[null]', '{"serverIds":["SERVER'])(
  '%s in a suite, a client or a plugin keeps no server that nobody uses',
  async (broken) => {
    const { sql } = service.owner;
    const address = { enabled: true, transportType: 'http', url: 'http://127.0.0.1:9/mcp' };
    const { id } = (await ask('POST', 'servers', { name: 'Unused', ...address })).body;
    const text = broken.replace('SERVER', id);
    const plugin = await ask('POST', 'plugins', { name: `P ${id}`, serverIds: [tenant.serverId] });
    const pluginVersionIds = [plugin.body.activeVersionId];
    const environment = { name: `E ${id}`, hostId: tenant.hostId, pluginVersionIds };
    expect((await ask('POST', 'environments', environment)).status).toBe(201);
    const kept = await sql`select id, config from client_configs`;
    await sql`update eval_suites set hosts = ${text} where id = ${place.suiteId}`;
    await sql`alter table client_configs disable trigger user`;
    await sql`update client_configs set config = ${text}`;
    await sql`alter table plugin_versions disable trigger user`;
    await sql`update plugin_versions set content = ${text}`;
    const deleted = await ask('DELETE', `servers/${id}`);
    for (const row of kept) {
      await sql`update client_configs set config = ${row['config']} where id = ${row['id']}`;
    }
    expect(deleted.status, deleted.text).toBe(200);
  },
);

test('a suite or a case that cannot be read is neither launched nor reported to nor edited', async () => {
  const { sql } = service.owner;
  const reason = { code: 'CONFLICT', details: { reason: 'STORED_DOCUMENT_UNREADABLE' } };
  const launch = () => ask('POST', 'eval-runs', { suiteId: place.authoredId });
  const { ingest } = createReporter(service, tenant);
  const report = () => ingest('report', { suiteName: 'Authored', results: [passing] });
  await sql`update eval_cases set definition = '{' where id = ${place.caseId}`;
  expect((await launch()).body).toMatchObject(reason);
  expect((await report()).body).toMatchObject(reason);
  const edit = (path: string, body: object) => ask('PATCH', path, body);
  const casePath = `eval-suites/${place.authoredId}/cases/${place.caseId}`;
  expect((await edit(casePath, { iterations: 2 })).body).toMatchObject(reason);
  await sql`update eval_suites set definition = '{' where id = ${place.authoredId}`;
  expect((await launch()).body).toMatchObject(reason);
  expect((await report()).body).toMatchObject(reason);
  const suitePath = `eval-suites/${place.authoredId}`;
  expect((await edit(suitePath, { settings: { minimumAccuracy: 1 } })).body).toMatchObject(reason);
});
