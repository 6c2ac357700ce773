import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
let service: ServiceHere;
let key: string;
let everything: Awaited<ReturnType<typeof startEverythingServer>>;
beforeAll(async () => {
  everything = await startEverythingServer('streamableHttp');
  const { apiKey, projectId } = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  key = apiKey;
  const program = { name: 'Program', command: process.execPath, args: ['-v'], projectId };
  writeFileSync(place('servers.json'), JSON.stringify({ stdioServers: [program] }));
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CONFIG: place('servers.json'),
  });
});
afterAll(async () => {
  await service?.stop();
  await everything?.stop();
  await workspace.remove();
});

const proofmark = (parameters: readonly string[], more: Record<string, string> = {}) =>
  workspace.runHere(parameters, {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: key,
    LC_ALL: 'C.UTF-8',
    ...more,
  });
const scenarios = (...names: string[]) => names.flatMap((name) => ['--scenario', name]);
const at = ['--spec', '2025-11-25'];

test('the suite is played against an address without a service', async () => {
  const plain = ['conformance', everything.url, ...at];
  const passed = await proofmark([...plain, ...scenarios('tools-list', 'ping'), '--json']);
  expect(passed.code, passed.stderr).toBe(0);
  expect(JSON.parse(passed.stdout)).toMatchObject({
    suite: { name: '@modelcontextprotocol/conformance', version: expect.any(String) },
    spec: '2025-11-25',
    runId: null,
    scenarios: [
      { scenario: 'ping', outcome: 'passed', checks: expect.any(Array) },
      { scenario: 'tools-list', outcome: 'passed' },
    ],
    counts: { passed: 2, failed: 0, expected: 0, stale: 0, notScored: 0, skipped: 0 },
  });
  const failed = await proofmark([...plain, ...scenarios('prompts-get-simple')]);
  expect(failed.code, failed.stderr).toBe(1);
  expect(failed.stdout).toMatch(/✗ prompts-get-simple: FAILED\n {4}prompts-get-simple: /);
  expect(failed.stdout).toMatch(/^FAILED: 0 of 1 scored scenario passed, 1 failed$/m);
});

test('a baseline lets failures pass and fails stale entries', async () => {
  const plain = ['conformance', everything.url, ...at, ...scenarios('prompts-get-simple', 'ping')];
  const play = (entries: string) => {
    writeFileSync(place('baseline.yml'), `server:\n${entries}`);
    return proofmark([...plain, '--json', '--expected-failures', place('baseline.yml')]);
  };
  const known = await play('  - prompts-get-simple:prompts-get-simple\n');
  expect(known.code, known.stderr).toBe(0);
  expect(JSON.parse(known.stdout).counts).toMatchObject({ passed: 1, expected: 1 });
  const stale = await play('  - prompts-get-simple\n  - ping\n');
  expect(stale.code, stale.stderr).toBe(1);
  expect(JSON.parse(stale.stdout).counts).toMatchObject({ expected: 1, stale: 1 });
  const both = await play('  - ping\n  - ping:ping\n');
  expect(both).toMatchObject({ code: 2, stdout: '' });
  expect(both.stderr).toContain('is redundant');
});

test('without an answer the command exits with 3, for wrong use with 2', async () => {
  const silent = ['conformance', 'http://127.0.0.1:9/mcp', ...scenarios('ping')];
  const unreached = await proofmark([...silent, ...at, '--json']);
  expect(unreached.code, unreached.stderr).toBe(3);
  expect(JSON.parse(unreached.stdout).scenarios).toMatchObject([
    {
      scenario: 'ping',
      outcome: 'skipped',
      nextAction: expect.stringContaining('could not be reached'),
    },
  ]);
  expect((await proofmark(silent)).code).toBe(3);
  const unknown = await proofmark(['conformance', everything.url, ...at, ...scenarios('pong')]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('has no scenario "pong"');
  mkdirSync(place('empty'), { recursive: true });
  const missing = await proofmark(['conformance', everything.url], {
    PROOFMARK_CONFORMANCE: place('empty'),
  });
  expect(missing).toMatchObject({ code: 3, stdout: '' });
  expect(missing.stderr).toContain('npm install @modelcontextprotocol/conformance@');
});

test('a saved server is tested by the service, as a run that gates and reports', async () => {
  await proofmark(['server', 'add', 'Everything', everything.url]);
  const plain = ['conformance', 'Everything', ...at, '--json'];
  const played = await proofmark([...plain, ...scenarios('ping', 'prompts-get-simple')]);
  expect(played.code, played.stderr).toBe(1);
  const { runId, counts } = JSON.parse(played.stdout);
  expect(counts).toMatchObject({ passed: 1, failed: 1 });
  const gate = await proofmark(['eval', 'gate', runId]);
  expect(gate.code, gate.stderr).toBe(1);
  const junit = await proofmark(['eval', 'decision', runId, '--junit']);
  expect(junit.stdout).toContain('<failure');
  expect(junit.stdout).toContain('prompts-get-simple');
  const markdown = await proofmark(['eval', 'decision', runId, '--markdown']);
  expect(markdown.stdout).toContain('**Check:** `prompts-get-simple: ');
});

test('a stdio server is wrong use', async () => {
  const refused = await proofmark(['conformance', 'Program']);
  expect(refused.code, refused.stderr).toBe(2);
  expect(refused.stderr).toContain('this server has no address');
});
