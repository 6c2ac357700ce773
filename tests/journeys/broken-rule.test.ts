import {
  makeReporterKey,
  type ProjectApi,
  projectApi,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSharedWorkspace, type SharedWorkspace } from './ready-workspace.ts';

const rule = 'No tool may fail: count_stock returned an error.';
let workspace: SharedWorkspace;
let ask: ProjectApi;
let runId: string;
let connected: Record<string, string>;

beforeAll(async () => {
  workspace = createSharedWorkspace();
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await makeReporterKey(workspace);
  const projects = await call(`${service.url}/api/v1/projects`, { key: apiKey });
  const projectId = projects.body.items[0].id;
  ask = projectApi(service.url, projectId, apiKey);
  connected = {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: apiKey,
    PROOFMARK_PROJECT: projectId,
    LC_ALL: 'C.UTF-8',
  };
  const tool = { name: 'count_stock', description: 'Counts.', inputSchema: { type: 'object' } };
  const { url } = await startScriptedServer({
    'tools/list': { result: { tools: [{ ...tool, annotations: { readOnlyHint: true } }] } },
    'tools/call': { result: { content: [{ type: 'text', text: 'Closed.' }], isError: true } },
  });
  const server = { name: 'Stock', enabled: true, transportType: 'http', url };
  const { id } = await ask('POST', 'servers', server);
  const assertion = { type: 'toolCalledAtLeastOnce', toolName: 'count_stock' };
  const given = { serverName: 'Stock', toolName: 'count_stock', arguments: {} };
  const steps = [{ id: 'count', kind: 'toolCall', ...given }];
  const { suiteId } = await ask('POST', 'eval-suites', {
    name: 'Stock',
    serverIds: [id],
    model: 'proofmark/lexical-1',
    tests: [{ title: 'Count the pens', steps, assertions: [assertion] }],
  });
  ({ runId } = await ask('POST', 'eval-runs', { suiteId }));
  await vi.waitUntil(async () => (await ask('GET', `eval-runs/${runId}`)).status === 'completed', {
    timeout: 60_000,
    interval: 500,
  });
});
afterAll(() => workspace.remove());

test('by the API, of the trial and in the list', async () => {
  const { items } = await ask('GET', `eval-runs/${runId}/iterations`);
  expect(items).toMatchObject([{ result: 'failed', brokenRule: rule }]);
  const assertions = items[0].scores.filter(({ scorerId }: { scorerId: string }) =>
    scorerId.startsWith('predicate:'),
  );
  expect(assertions).toHaveLength(1);
  expect(assertions[0].passed).not.toBe(false);
  const one = await ask('GET', `eval-runs/${runId}/iterations/${items[0].id}`);
  expect(one).toMatchObject({ brokenRule: rule });
});

test.each([
  ['the command', []],
  ['Markdown', ['--markdown']],
  ['HTML', ['--html']],
  ['JUnit', ['--junit']],
] as const)('by %s', async (_, flags) => {
  const done = await workspace.runHere(['eval', 'decision', runId, ...flags], connected);
  expect(done.code, done.stderr).toBe(0);
  // Markdown escapes its own syntax.
  expect(done.stdout.replaceAll('\\', '')).toContain(rule);
});
