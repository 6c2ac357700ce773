/**
 * `proofmark test` against a live server, in memory and on a service with a database: the same verdicts, words and codes.
 * In memory nothing is written but the report, and an interruption cleans up after the trials that it stops.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnServer, writeOwnServer } from './own-stdio-server.ts';
import { createReadyWorkspace } from './ready-workspace.ts';
import { until } from './until.ts';

const workspace = createReadyWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const temporary = place('temporary');
const inMemory = { LC_ALL: 'C.UTF-8', TMPDIR: temporary };
const onDatabase = { LC_ALL: 'C.UTF-8', PROOFMARK_DATA_DIR: workspace.dataDir };
const started = ['--server-command', 'node shop.mjs', '--server-name', 'shop'];
const calls = place('calls.txt');

beforeAll(() => mkdirSync(temporary));
afterAll(() => workspace.remove());

/** It notes the name of each tool that is called. */
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

/** Ids, times and where it can be looked at are each run's own. */
function comparable(text: string): string {
  return text
    .replaceAll(/\b[a-z]+_[0-9a-zA-Z]{16,}\b/g, 'ID')
    .replaceAll(/"(durationMs|p50Ms|p95Ms|latencyMs|\w*At)":("[^"]*"|[\d.]+)/g, '"$1":0')
    .replaceAll(/"url":"[^"]*",?/g, '')
    .replaceAll(/\b[\d.]+ (ms|s)\b/g, 'TIME')
    .replaceAll(/\n(Start `proofmark serve`|Look at it)[^\n]*\n[^\n]*\n/g, '\n');
}

type Done = Awaited<ReturnType<typeof workspace.runHere>>;

const shown = ({ code, stdout, stderr }: Done) => ({
  code,
  stdout: comparable(stdout),
  stderr: comparable(stderr),
});

async function bothWays(parameters: readonly string[]): Promise<{ memory: Done; stored: Done }> {
  const before = readdirSync(workspace.folder).sort();
  const memory = await workspace.runHere(['test', ...parameters], inMemory);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(workspace.folder).sort()).toEqual(
    [...new Set([...before, ...leftBy(parameters)])].sort(),
  );
  const stored = await workspace.runHere(['test', ...parameters], onDatabase);
  return { memory, stored };
}

/** The server of these tests notes its calls, and recordings are asked for. */
function leftBy(parameters: readonly string[]): string[] {
  return readdirSync(workspace.folder).filter(
    (name) =>
      name === 'calls.txt' || (parameters.includes('--record') && name.endsWith('.recordings')),
  );
}

const rows: [string, () => readonly string[], number][] = [
  [
    'a suite that passes, with calls around its trials and repetitions',
    () => {
      const defaults = { repetitions: 2, before: [till('open_till')], after: [till('close_till')] };
      const price = asks('price', 'What is the price of bread?', {
        type: 'toolCalledWith',
        toolName: 'price_list',
        arguments: {},
      });
      return [writeSuite('passing', [opens('nine'), price], defaults)];
    },
    0,
  ],
  ['a suite that fails', () => [writeSuite('failing', [opens('ten')])], 1],
  [
    'repetitions of the command line',
    () => [writeSuite('repeated', [opens('nine')]), '--repetitions', '3'],
    0,
  ],
  [
    'a tool that the suite holds back',
    () => [writeSuite('held', [asks('price', 'What is the price of bread?')], { allowWrites: [] })],
    3,
  ],
  [
    'a call after the trial that fails',
    () => [writeSuite('warned', [opens('nine')], { after: [till('no_such_tool')] })],
    0,
  ],
  [
    'a suite with mistakes',
    () => [writeSuite('mistaken', [{ id: 'one', title: 'one', steps: [{ kind: 'nothing' }] }])],
    3,
  ],
  [
    'a scorer that nobody has a secret for',
    () => [
      writeSuite('scored', [
        asks('opens', 'When does the shop open?', {
          type: 'scorer',
          url: 'http://127.0.0.1:9/score',
          threshold: 0.5,
          name: 'Tone',
        }),
      ]),
      '--trust',
    ],
    3,
  ],
  [
    'a model that nobody offers',
    () => [writeSuite('unoffered', [opens('nine')]), '--model', 'none/such'],
    3,
  ],
];

test.each(rows)('%s comes out the same', async (_name, write, code) => {
  writeServer();
  rmSync(calls, { force: true });
  const [file = '', ...flags] = write();
  for (const form of [[], ['--json']]) {
    const { memory, stored } = await bothWays([file, ...started, ...flags, ...form]);
    expect(shown(memory)).toEqual(shown(stored));
    expect(memory.code, memory.stdout + memory.stderr).toBe(code);
  }
});

test('a server that does not start has no result, whichever way', async () => {
  writeServer({ crash: 'It has no settings.' });
  const { memory, stored } = await bothWays([writeSuite('gone', [opens('nine')]), ...started]);
  expect(shown(memory)).toEqual(shown(stored));
  expect(memory.code).toBe(3);
});

test('recordings are the same files, and can be replayed', async () => {
  writeServer();
  const file = writeSuite('recorded', [opens('nine')], { repetitions: 2 });
  const folder = place(`${file}.recordings`);
  const read = () =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
    );
  const parameters = ['test', file, ...started, '--record'];
  const memory = await workspace.runHere(parameters, inMemory);
  const written = read();
  rmSync(folder, { recursive: true });
  const stored = await workspace.runHere(parameters, onDatabase);
  expect(shown(memory)).toEqual(shown(stored));
  expect(Object.keys(written)).toHaveLength(2);
  expect(written).toEqual(read());
  const replayed = await workspace.runHere(['test', file, '--replay'], inMemory);
  expect(replayed.code, replayed.stderr).toBe(0);
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
