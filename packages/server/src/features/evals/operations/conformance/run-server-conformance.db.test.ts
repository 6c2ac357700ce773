import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  everything = await startEverythingServer('streamableHttp');
  fixture = await startEvalFixture({ one: () => ({ text: 'Done.' }) });
});
afterAll(async () => {
  await fixture.stop();
  await everything.stop();
});

const scenarios = ['server-initialize', 'tools-list', 'prompts-get-simple'];

async function saved(url = everything.url, headers?: object) {
  const name = unique('Server');
  const body = { name, enabled: true, transportType: 'http', url, ...(headers && { headers }) };
  return { id: (await fixture.get(201, 'POST', 'servers', body)).id as string, name };
}

async function played(serverId: string, body: object) {
  const started = await fixture.get(202, 'POST', `servers/${serverId}/conformance`, body);
  return { started, ...(await fixture.read(started.runId)) };
}

test('the scenarios of the suite are the trials of a contract suite', async () => {
  const server = await saved();
  const body = { spec: '2025-11-25', scenarios };
  const { started, run, summary, trials } = await played(server.id, body);
  expect(started.suite.name).toBe('@modelcontextprotocol/conformance');
  expect(run).toMatchObject({
    status: 'completed',
    result: 'failed',
    source: 'conformance',
    summary: { total: 3, passed: 2, failed: 1 },
    conformance: { suite: started.suite, spec: '2025-11-25', note: started.note },
  });
  expect(summary.headline ?? summary).toBeDefined();
  const suite = await fixture.get(200, 'GET', `eval-suites/${started.suiteId}`);
  expect(suite).toMatchObject({
    name: `Conformance 2025-11-25: ${server.name}`,
    mode: 'serverContract',
  });
  expect(trials.map(({ caseId, result }) => [caseId, result])).toEqual([
    ['server-initialize', 'passed'],
    ['tools-list', 'passed'],
    ['prompts-get-simple', 'failed'],
  ]);
  const failed = trials[2];
  expect(failed).toMatchObject({ firstFailedStage: 'response', failureCategory: 'serverData' });
  const row = failed.stageResults.find(({ stage }: { stage: string }) => stage === 'response');
  expect(row).toMatchObject({ state: 'failed', reason: 'predicateFailed' });
  expect(row.evidence.predicateReasons[0]).toMatch(/^prompts-get-simple: /);
  const trace = await fixture.get(
    ...([200, 'GET', `eval-runs/${started.runId}/iterations/${failed.id}/trace`] as const),
  );
  expect(trace.conformance).toMatchObject({
    scenario: 'prompts-get-simple',
    outcome: 'failed',
    checks: [{ id: 'prompts-get-simple', status: 'FAILURE' }],
  });
});

test('expected failures pass, stale ones fail, and the suite is used again', async () => {
  const server = await saved();
  const first = await played(server.id, {
    spec: '2025-11-25',
    scenarios,
    expectedFailures: ['prompts-get-simple:prompts-get-simple'],
  });
  expect(first.run).toMatchObject({ result: 'passed', summary: { total: 3, passed: 3 } });
  const second = await played(server.id, {
    spec: '2025-11-25',
    scenarios,
    expectedFailures: ['prompts-get-simple', 'tools-list'],
  });
  expect(second.started.suiteId).toBe(first.started.suiteId);
  expect(second.trials.map(({ result }) => result)).toEqual(['passed', 'failed', 'passed']);
  const compared = await fixture.get(
    ...([200, 'GET', `eval-runs/${second.run.id}/compare?baseRunId=${first.run.id}`] as const),
  );
  expect(JSON.stringify(compared)).toContain('tools-list');
  const body = { spec: '2025-11-25', expectedFailures: ['ping', 'ping:ping'] };
  const refused = await fixture.get(400, 'POST', `servers/${server.id}/conformance`, body);
  expect(refused.message).toContain('is redundant');
});

test('a scenario that is not scored never gates', async () => {
  const server = await saved();
  const body = { spec: '2025-11-25', scenarios: ['tools-list', 'json-schema-2020-12'] };
  const { run, trials } = await played(server.id, body);
  expect(run.result).toBe('passed');
  expect(trials.map(({ status, result }) => [status, result])).toEqual([
    ['completed', 'passed'],
    ['skipped', null],
  ]);
  expect(trials[1].error).toContain('does not score this scenario. It failed');
});

test('a server that is not there has failed to connect, and nothing is graded', async () => {
  const server = await saved('http://127.0.0.1:9/mcp');
  const body = { spec: '2025-11-25', scenarios: ['ping'] };
  const { run, trials } = await played(server.id, body);
  expect(run).toMatchObject({ result: null, verdict: 'inconclusive' });
  expect(trials[0]).toMatchObject({
    status: 'setup_failed',
    result: null,
    failureCategory: 'setup',
    firstFailedStage: 'connection',
  });
  const unspecified = await fixture.get(502, 'POST', `servers/${server.id}/conformance`, {});
  expect(unspecified.code).toBe('SERVER_UNREACHABLE');
});

test('credentials that are refused are a matter of the set-up', async () => {
  const closed = await startFakeMcpServer({
    initialize: (response) => response.writeHead(401).end(),
  });
  const server = await saved(closed.url);
  const { trials } = await played(server.id, { spec: '2025-11-25', scenarios: ['ping'] });
  await closed.stop();
  expect(trials[0]).toMatchObject({ status: 'setup_failed', failureCategory: 'setup' });
  expect(trials[0].firstFailedStage).toBeUndefined();
  expect(trials[0].error).toContain('HTTP 401');
});

test('a saved secret is sent to the server and is in no answer', async () => {
  const secret = 'key-4f9a77-0123456789';
  const echo = await startFakeMcpServer({
    'tools/list': (response, { headers }) => {
      const error = { code: -32603, message: `Wrong key ${headers['x-api-key']}.` };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    },
  });
  const server = await saved(echo.url, { 'X-Api-Key': secret });
  const { started, trials } = await played(server.id, {
    spec: '2025-11-25',
    scenarios: ['tools-list'],
  });
  await echo.stop();
  expect(echo.requests.some(({ headers }) => headers['x-api-key'] === secret)).toBe(true);
  expect(trials[0].result).toBe('failed');
  const trace = await fixture.get(
    ...([200, 'GET', `eval-runs/${started.runId}/iterations/${trials[0].id}/trace`] as const),
  );
  expect(JSON.stringify([trials, trace])).not.toContain(secret);
});

test('an unknown scenario is refused with the known ones', async () => {
  const server = await saved();
  const body = { spec: '2025-11-25', scenarios: ['tools'] };
  const refused = await fixture.get(400, 'POST', `servers/${server.id}/conformance`, body);
  expect(refused.details).toMatchObject({ path: 'body.scenarios', reason: 'UNKNOWN_SCENARIO' });
  expect(refused.message).toContain('tools-list');
});

test('a run of the suite can be neither rerun, judged nor replayed', async () => {
  const server = await saved();
  const { run, started } = await played(server.id, { spec: '2025-11-25', scenarios: ['ping'] });
  const rerun = await fixture.get(409, 'POST', `eval-runs/${run.id}/rerun`, { scope: 'all' });
  expect(rerun.details.reason).toBe('CONFORMANCE_RUN');
  const judge = { enable: true, model: 'local/one' };
  const judged = await fixture.get(409, 'POST', `eval-runs/${run.id}/judge`, judge);
  expect(judged.details.reason).toBe('CONFORMANCE_RUN');
  const launched = await call(
    `${fixture.service.baseUrl}/api/v1/projects/${fixture.tenant.projectId}/eval-runs`,
    { method: 'POST', key: fixture.tenant.key, body: { suiteId: started.suiteId } },
  );
  expect(launched.status, launched.text).toBeGreaterThanOrEqual(400);
});
