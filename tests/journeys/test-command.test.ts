/**
 * Tests the path from a person's own server to a verdict: `proofmark init` and `proofmark test` in
 * an empty folder. packed.test.ts does the same with the installed command in separate processes.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type OwnServer, writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const environment = { PROOFMARK_DATA_DIR: workspace.dataDir, LC_ALL: 'C.UTF-8' };
const place = (name: string) => `${workspace.folder}/${name}`;
const started = ['--server-command', 'node shop.mjs'];
afterAll(() => workspace.remove());

const writeServer = (server: OwnServer = {}) => writeOwnServer(place('shop.mjs'), server);
const run = (...parameters: string[]) => workspace.runHere(parameters, environment);
const overWide = (text: string) =>
  text.split('\n').filter((line) => [...line].length > 80 && !line.includes('/projects/'));

test('init writes the first suites from the tools of a server, and never over a file', async () => {
  writeServer();
  const made = await run('init', ...started);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toBe(
    'Wrote shop.suite.yaml (3 cases) and\nshop.contract.suite.yaml (2 cases) from 1 tool of shop.\n' +
      'Put into your own words: 2 prompts made of names alone\n  Opening time\n  Could you do this for me? Opening time\nRun both: proofmark test\n',
  );
  const text = readFileSync(place('shop.suite.yaml'), 'utf8');
  expect(text).toContain('calls: opening_time');
  writeFileSync(place('shop.suite.yaml'), `${text}# mine\n`);
  const again = await run('init', ...started);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('--force');
  expect(readFileSync(place('shop.suite.yaml'), 'utf8')).toContain('# mine');
});

test('test is green on a service of its own, which is gone afterwards', async () => {
  const green = await run('test');
  expect(green.code, green.stdout + green.stderr).toBe(0);
  expect(green.stdout).toMatch(/^PASSED: 2 of 2 cases · no model · [\d.]+ s/);
  expect(green.stdout).toMatch(
    /^PASSED: 3 of 3 cases · proofmark\/lexical-1 · [\d.]+ s · \d+ tokens · free\n/m,
  );
  expect(green.stdout).toMatch(/start `proofmark serve`, then open\nhttp:\/\/127\.0\.0\.1:3300\//);
  expect(overWide(green.stdout)).toEqual([]);
  expect(existsSync(`${workspace.dataDir}/service.json`)).toBe(false);
  expect(workspace.databaseProcesses()).toEqual([]);
  expect(statSync(`${workspace.dataDir}/stdio-servers.json`).mode & 0o777).toBe(0o600);
});

test('a server that cannot be reached is no failed one, and nothing of an ephemeral test stays', async () => {
  const server = ['--server', 'http://127.0.0.1:1/mcp', '--server-name', 'gone'];
  const done = await run('test', 'shop.suite.yaml', ...server, '--ephemeral');
  expect(done.code, done.stdout + done.stderr).toBe(3);
  expect(done.stdout).toMatch(/^INCONCLUSIVE/);
  expect(done.stdout).not.toContain('http://127.0.0.1:3300');
  expect(done.stderr).toBe('');
});

test.each([
  ['no such file', ['test', 'missing.yaml']],
  ['no address', ['test', '--server', 'nowhere']],
  ['two servers at once', ['test', '--server', 'http://a.example', '--config', 'mcp.json']],
  ['a server that nobody names', ['init']],
])('%s is a wrong use', async (_name, parameters) => {
  const done = await run(...parameters);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toMatch(/^proofmark: [^\n]+\n$/);
});

test('on the service of the folder it is red when the server breaks, green when it is mended, and there to look at', async () => {
  const service = await workspace.serveHere();
  writeServer({ toolName: 'something_else' });
  const red = await run('test', 'shop.suite.yaml', '--repetitions', '2');
  expect(red.code, red.stdout + red.stderr).toBe(1);
  expect(red.stdout).toContain('"opening_time" was never called.');
  expect(red.stdout).toContain(`Look at it:\n${service.url}/projects/`);
  expect(overWide(red.stdout)).toEqual([]);
  writeServer({ crash: 'It has no settings.' });
  const none = await run('test', 'shop.suite.yaml', ...started);
  expect(none.code, none.stdout + none.stderr).toBe(3);
  writeServer();
  const json = await run('test', 'shop.suite.yaml', '--json', ...started);
  expect(json.code, json.stderr).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    file: 'shop.suite.yaml',
    suite: 'shop',
    exitCode: 0,
    headline: expect.stringMatching(/^PASSED: 3 of 3 cases ·/),
    surface: { servers: [{ name: 'shop', tools: ['opening_time'] }] },
    summary: { verdict: 'passed' },
  });
  await service.stop();
});

test('watch tests again what changed, and Ctrl+C ends it with the code of the last verdict', async () => {
  const watching = workspace.spawn(['test', 'shop.suite.yaml', '--watch', ...started], environment);
  const shown = (words: string) => until(() => watching.stdout().includes(words), words);
  await shown('PASSED: 3 of 3 cases');
  await until(() => watching.stderr().includes('waiting for changes'), 'it waits');
  writeServer({ toolName: 'something_else' });
  await shown('FAILED: ');
  process.kill(watching.pid, 'SIGINT');
  expect(await watching.ended).toEqual({ code: 1, signal: null });
  expect(workspace.databaseProcesses()).toEqual([]);
});
