/** From a server of one's own to a verdict: `proofmark init` and `proofmark test`, as real processes in an empty folder. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';
import { until } from './until.ts';

const workspace = createReadyWorkspace();
const environment = { PROOFMARK_DATA_DIR: workspace.dataDir, LC_ALL: 'C.UTF-8' };
const place = (name: string) => `${workspace.folder}/${name}`;
const started = ['--server-command', 'node shop.mjs'];
afterAll(() => workspace.remove());

/** A stdio server with one tool. */
function writeServer(toolName: string): void {
  const sdk = (part: string) => import.meta.resolve(`@modelcontextprotocol/sdk/server/${part}.js`);
  writeFileSync(
    place('shop.mjs'),
    `import { McpServer } from '${sdk('mcp')}';
import { StdioServerTransport } from '${sdk('stdio')}';
const server = new McpServer({ name: 'shop', version: '1' });
server.registerTool(
  '${toolName}',
  { description: 'Tells when the shop opens today.', annotations: { readOnlyHint: true } },
  async () => ({ content: [{ type: 'text', text: 'At nine.' }] }),
);
await server.connect(new StdioServerTransport());
`,
  );
}

const run = (...parameters: string[]) => workspace.run(parameters, environment);
const overWide = (text: string) =>
  text.split('\n').filter((line) => [...line].length > 80 && !line.includes('/projects/'));

test('init writes a first suite from the tools of a server, and never over a file', async () => {
  writeServer('opening_time');
  const made = await run('init', ...started);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toBe(
    'Wrote shop.suite.yaml from 1 tool of shop.\nRun it: proofmark test shop.suite.yaml\n',
  );
  const text = readFileSync(place('shop.suite.yaml'), 'utf8');
  expect(text).toContain('toolName: opening_time');
  writeFileSync(place('shop.suite.yaml'), `${text}# mine\n`);
  const again = await workspace.runHere(['init', ...started], environment);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('--force');
  expect(readFileSync(place('shop.suite.yaml'), 'utf8')).toContain('# mine');
});

test('test is green, red when the server breaks, and green again when it is mended', async () => {
  const green = await run('test');
  expect(green.code, green.stdout + green.stderr).toBe(0);
  expect(green.stdout).toMatch(/^PASSED: all 3 case variants/);
  expect(green.stdout).toMatch(/start `proofmark serve`, then open\nhttp:\/\/127\.0\.0\.1:3300\//);
  writeServer('something_else');
  const red = await run('test', '--repetitions', '2');
  expect(red.code, red.stdout + red.stderr).toBe(1);
  expect(red.stdout).toContain('"opening_time" was never called.');
  expect(overWide(green.stdout + red.stdout)).toEqual([]);
  writeServer('opening_time');
  const json = await run('test', 'shop.suite.yaml', '--json', ...started);
  expect(json.code, json.stderr).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ file: 'shop.suite.yaml', suite: 'shop', exitCode: 0, summary: { verdict: 'passed' } },
  });
  expect(existsSync(`${workspace.dataDir}/service.json`)).toBe(false);
  expect(workspace.databaseProcesses()).toEqual([]);
  expect(statSync(`${workspace.dataDir}/stdio-servers.json`).mode & 0o777).toBe(0o600);
});

test('a server that cannot be reached is no failed one, and nothing of an ephemeral test stays', async () => {
  const server = ['--server', 'http://127.0.0.1:1/mcp', '--server-name', 'gone'];
  const done = await run('test', ...server, '--ephemeral');
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
  const done = await workspace.runHere(parameters, environment);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toMatch(/^proofmark: [^\n]+\n$/);
});

test('on the service of the folder a command is started too, and the run is there to look at', async () => {
  const service = await workspace.serve();
  const done = await workspace.runHere(['test', ...started], environment);
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stdout).toContain(`Look at it:\n${service.url}/projects/`);
  await service.stop();
});

test('watch tests again what changed, and Ctrl+C ends it with the code of the last verdict', async () => {
  const watching = workspace.spawn(['test', '--watch', ...started], environment);
  const shown = (words: string) => until(() => watching.stdout().includes(words), words);
  await shown('PASSED: all 3 case variants');
  await until(() => watching.stderr().includes('waiting for changes'), 'it waits');
  writeServer('something_else');
  await shown('FAILED: 1 of 3 case variants');
  process.kill(watching.pid, 'SIGINT');
  expect(await watching.ended).toEqual({ code: 1, signal: null });
  expect(workspace.databaseProcesses()).toEqual([]);
});
