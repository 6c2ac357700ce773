/**
 * Tests `proofmark test` against a live server, in memory and on a service with a database:
 * verdicts, output and exit codes must be equal. In memory only the report is written, and an
 * interruption runs the teardown of the trials that it stops.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type OwnServer, writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const temporary = place('temporary');
const inMemory = { LC_ALL: 'C.UTF-8', TMPDIR: temporary };
const onDatabase = { LC_ALL: 'C.UTF-8', PROOFMARK_DATA_DIR: workspace.dataDir };
/**
 * Projects exist only in a service, so `--project` makes the command create a new database for the
 * test.
 */
const newDatabase = ['--ephemeral', '--project', 'Default'];
const started = ['--server-command', 'node shop.mjs', '--server-name', 'shop'];
const calls = place('calls.txt');

beforeAll(() => mkdirSync(temporary));
afterAll(() => workspace.remove());

function writeServer(server: OwnServer = {}): void {
  writeOwnServer(place('shop.mjs'), {
    first: `import { appendFileSync } from 'node:fs';
process.stdin.on('data', (lines) => {
  for (const [, name] of String(lines).matchAll(/"tools\\/call".*?"name":"(\\w+)"/g)) {
    appendFileSync(${JSON.stringify(calls)}, name + '\\n');
  }
});`,
    others: [
      { name: 'open_till', description: 'Opens the till.', says: "'Open.'" },
      { name: 'close_till', description: 'Closes the till.', says: "'Closed.'" },
      { name: 'price_list', description: 'Lists the price of bread.', says: "'Bread: 3.'" },
      { name: 'order_bread', description: 'Orders bread.', says: "'Ordered.'" },
    ],
    ...server,
  });
}

const asks = (id: string, prompt: string, ...assertions: object[]) => ({
  id,
  title: id,
  steps: [{ kind: 'prompt', prompt }],
  assertions,
});
const opens = (needle: string) =>
  asks('opens', 'When does the shop open today?', { type: 'responseContains', needle });
const till = (toolName: string) => ({
  id: toolName,
  kind: 'toolCall',
  serverName: 'shop',
  toolName,
  arguments: {},
});

function writeSuite(id: string, cases: readonly object[], defaults: object = {}): string {
  const file = `${id}.suite.yaml`;
  const suite = { schemaVersion: '1', suite: { id, name: id }, defaults, cases };
  writeFileSync(place(file), JSON.stringify(suite));
  return file;
}

/** Replaces ids and times, since they differ between runs. */
function comparable(text: string): string {
  return text
    .replaceAll(/[a-z]+_[0-9a-z]{20,}/g, 'ID')
    .replaceAll(/ · [\d.]+ m?s ·/g, ' · TIME ·')
    .replaceAll(/"(durationMs|createdAt)":\d+/g, '"$1":0');
}

type Done = Awaited<ReturnType<typeof workspace.runHere>>;

const shown = ({ code, stdout, stderr }: Done) => ({
  code,
  stdout: comparable(stdout),
  stderr: comparable(stderr),
});

const filesHere = () =>
  readdirSync(workspace.folder)
    .filter((name) => name !== 'calls.txt')
    .sort();

async function runInMemory(parameters: readonly string[], written: readonly string[] = []) {
  const before = filesHere();
  const done = await workspace.runHere(['test', ...parameters], inMemory);
  expect(readdirSync(temporary)).toEqual([]);
  expect(filesHere()).toEqual([...before, ...written].sort());
  return done;
}

/**
 * Writes suites with a passing case, a failing case and a case whose write is not allowed. Calls
 * run before and after trials; one of them names a missing tool.
 */
function writeSuites(): string[] {
  const around = { repetitions: 2, before: [till('open_till')], after: [till('close_till')] };
  const called = { type: 'toolCalledWith', toolName: 'price_list', arguments: {} };
  return [
    writeSuite(
      'passing',
      [opens('nine'), asks('price', 'What is the price of bread?', called)],
      around,
    ),
    writeSuite('failing', [opens('ten')]),
    writeSuite('held', [asks('order', 'Order bread now, please order.')], { allowWrites: [] }),
    writeSuite('warned', [opens('nine')], { after: [till('no_such_tool')] }),
  ];
}

function readRecordings(files: readonly string[]): Record<string, string> {
  const read = files.flatMap((file) => {
    const folder = place(`${file}.recordings`);
    return readdirSync(folder).map((name): [string, string] => [
      `${file}/${name}`,
      readFileSync(`${folder}/${name}`, 'utf8'),
    ]);
  });
  return Object.fromEntries(read);
}

test('text, notices, codes and recordings are the same, and recordings can be replayed', async () => {
  writeServer();
  const files = writeSuites();
  const parameters = [...files, ...started, '--record', '--repetitions', '3'];
  const folders = files.map((file) => `${file}.recordings`);
  const memory = await runInMemory(parameters, folders);
  const recorded = readRecordings(files);
  for (const folder of folders) rmSync(place(folder), { recursive: true });
  const stored = await workspace.runHere(['test', ...parameters, ...newDatabase], inMemory);
  expect(shown(memory)).toEqual(shown(stored));
  expect(memory.code).toBe(1);
  expect(memory.stdout).toMatch(/^PASSED.*^FAILED.*^INCONCLUSIVE.*^PASSED/ms);
  expect(memory.stderr).toContain('no tool "no_such_tool"');
  expect(Object.keys(recorded)).toHaveLength(12);
  expect(recorded).toEqual(readRecordings(files));
  const replayed = await workspace.runHere(['test', 'passing.suite.yaml', '--replay'], inMemory);
  expect(replayed.code, replayed.stderr).toBe(0);
  for (const folder of folders) rmSync(place(folder), { recursive: true });
});

test('verdicts as JSON are the same', async () => {
  writeServer();
  const parameters = [...writeSuites(), ...started, '--json'];
  const memory = await runInMemory(parameters);
  const stored = await workspace.runHere(['test', ...parameters, ...newDatabase], inMemory);
  expect(shown(memory)).toEqual(shown(stored));
  const verdicts = memory.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).summary.verdict);
  expect(verdicts).toEqual(['passed', 'failed', 'inconclusive', 'passed']);
});

test.each<[string, () => readonly string[], number]>([
  [
    'a suite with mistakes',
    () => [writeSuite('mistaken', [{ id: 'one', title: 'one', steps: [{ kind: 'nothing' }] }])],
    2,
  ],
  [
    'a scorer that nobody has a secret for',
    () => {
      const url = 'http://127.0.0.1:9/score';
      const scorer = { type: 'scorer', url, threshold: 0.5, name: 'Tone' };
      return [writeSuite('scored', [asks('opens', 'When?', scorer)]), '--trust'];
    },
    3,
  ],
  [
    'a model that nobody offers',
    () => [writeSuite('unoffered', [opens('nine')]), '--model', 'none/such'],
    2,
  ],
  [
    'an environment that is not there',
    () => {
      const file = writeSuite('placed', [opens('nine')]);
      const suite = JSON.parse(readFileSync(place(file), 'utf8'));
      const target = { servers: [{ name: 'shop' }], environment: 'none' };
      writeFileSync(place(file), JSON.stringify({ ...suite, target }));
      return [file];
    },
    2,
  ],
  [
    'an address that may not be called',
    () => [
      writeSuite('blocked', [opens('nine')]),
      ...['--server', 'http://169.254.169.254/mcp', '--server-name', 'blocked'],
    ],
    2,
  ],
])('%s is refused in the same words', async (_name, write, code) => {
  writeServer();
  const written = write();
  const parameters = [...written, ...(written.includes('--server') ? [] : started)];
  const memory = await runInMemory(parameters);
  const stored = await workspace.runHere(['test', ...parameters], onDatabase);
  expect(shown(memory)).toEqual(shown(stored));
  expect(memory, memory.stderr).toMatchObject({ code, stdout: '' });
});

test('a server that does not start has no result, whichever way', async () => {
  writeServer({ crash: 'It has no settings.' });
  const parameters = [writeSuite('gone', [opens('nine')]), ...started, '--json'];
  const memory = await runInMemory(parameters);
  const stored = await workspace.runHere(['test', ...parameters], onDatabase);
  const { url: _, ...known } = JSON.parse(shown(stored).stdout);
  expect(JSON.parse(shown(memory).stdout)).toEqual(known);
  expect(memory.code).toBe(3);
});

test('an interruption stops the trials, makes the calls after them, and leaves nothing', async () => {
  writeServer({ callMs: 1500 });
  const around = { before: [till('open_till')], after: [till('close_till')], repetitions: 20 };
  const file = writeSuite('slow', [opens('nine')], around);
  rmSync(calls, { force: true });
  const noted = () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);
  const testing = workspace.spawn(['test', file, ...started], inMemory);
  await until(() => noted().includes('open_till'), 'a trial has begun', 60_000);
  process.kill(testing.pid, 'SIGINT');
  expect(await testing.ended).toEqual({ code: 3, signal: null });
  const count = (name: string) => noted().filter((one) => one === name).length;
  expect(count('open_till')).toBeGreaterThan(0);
  expect(count('close_till')).toBe(count('open_till'));
  expect(count('open_till')).toBeLessThan(20);
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(place('.proofmark'))).toBe(false);
});

test('with --keep the runs are kept in the folder, and from then on without it', async () => {
  writeServer();
  const file = writeSuite('kept', [opens('nine')]);
  const refused = await workspace.runHere(['test', file, '--keep', '--ephemeral'], inMemory);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('Give only one of --keep and --ephemeral.');
  const environment = { LC_ALL: 'C.UTF-8' };
  for (const flags of [['--keep'], []]) {
    const kept = await workspace.runHere(['test', file, ...started, ...flags], environment);
    expect(kept.code, kept.stdout + kept.stderr).toBe(0);
    expect(kept.stdout).toContain('start `proofmark serve`, then open');
  }
  expect(existsSync(place('.proofmark'))).toBe(true);
  rmSync(place('.proofmark'), { recursive: true });
});
