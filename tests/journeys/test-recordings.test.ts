import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readRecordingLines } from '@proofmark/domain';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { afterAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const environment = { PROOFMARK_DATA_DIR: workspace.dataDir, LC_ALL: 'C.UTF-8' };
const place = (name: string) => `${workspace.folder}/${name}`;
afterAll(() => workspace.remove());

/**
 * Secrets that are recognized by their form alone. They are assembled here so that secret scanners
 * do not report this file.
 */
const letters = 'a1B2c3D4e5F6g7H8'.repeat(3);
const shaped = [
  ['GitHub token', `${'gh'}p_${letters.slice(0, 36)}`],
  ['AWS access key', `${'AK'}IAABCDEFGH23456789`.slice(0, 20)],
  ['password in an address', 'hunter2hunter'],
  ['credential', letters.slice(5, 37)],
] as const;
const [[, gitHub], [, aws], [, password], [, bearer]] = shaped;
const plain = `${gitHub}, ${aws}, postgres://shop:${password}@db/shop, Bearer ${bearer}`;
const canaries = ['canary-of-environment', 'canary-in-output', ...shaped.map(([, one]) => one)];
const variant = 'proofmark~lexical-1';
const recordings = 'shop.suite.yaml.recordings';
const opens = `${recordings}/opens.${variant}.1.jsonl`;

function writeServer(): void {
  const secrets = "{ token: 'canary-in-output', of: process.env.SHOP_KEY }";
  writeOwnServer(place('shop.mjs'), {
    others: [
      {
        name: 'price_list',
        description: 'Lists the price of bread.',
        says: `'Bread: 3. ' + JSON.stringify(${secrets}) + ${JSON.stringify(plain)}`,
      },
    ],
  });
}

interface SuiteOptions {
  readonly needle?: string;
  readonly question?: string;
  readonly cases?: readonly string[];
}

function writeSuite(options: SuiteOptions = {}, file = 'shop.suite.yaml'): void {
  const { needle = 'nine', question = 'the price of bread?', cases } = options;
  const of = (id: string, prompt: string, assertion: object) => ({
    id,
    title: id,
    steps: [{ kind: 'prompt', prompt }],
    assertions: [assertion],
  });
  const says = (text: string) => ({ type: 'responseContains', needle: text });
  const called = { type: 'toolCalledWith', toolName: 'price_list', arguments: {} };
  const all = [
    of('opens', 'When does the shop open today?', says(needle)),
    of('price', `What is ${question}`, called),
    of('again', 'Tell when the shop opens today.', says('nine')),
  ];
  const suite = {
    schemaVersion: '1',
    suite: { id: 'shop', name: 'Shop' },
    defaults: { repetitions: 2 },
  };
  const played = all.filter(({ id }) => cases?.includes(id) ?? true);
  writeFileSync(place(file), JSON.stringify({ ...suite, cases: played }));
}

const outputs: string[] = [];
async function run(...parameters: string[]) {
  const done = await workspace.runHere(['test', ...parameters], environment);
  outputs.push(done.stdout, done.stderr);
  // Paths and JSON may be longer than 80 columns, so they are not checked.
  const cut = done.stdout.split('\n').filter((line) => !/^\{|\/projects\//.test(line));
  expect(cut.filter((line) => [...line].length > 80)).toEqual([]);
  return done;
}
const record = () =>
  run('--record', '--server-command', 'node shop.mjs', '--server-env', `SHOP_KEY=${canaries[0]}`);
const files = () => readdirSync(place(recordings)).sort();
const read = (file: string) => readFileSync(place(file), 'utf8');

test('what is recorded is a file for each graded trial, without secrets', async () => {
  writeServer();
  writeSuite();
  const done = await record();
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stderr).toContain(`proofmark: recorded 6 trials in ${recordings}.\n`);
  const names = ['again', 'opens', 'price'].flatMap((id) => [
    `${id}.${variant}.1.jsonl`,
    `${id}.${variant}.2.jsonl`,
  ]);
  expect(files()).toEqual(names);
  const [head = '', ...lines] = read(opens).trimEnd().split('\n');
  expect(JSON.parse(head)).toMatchObject({
    format: 'proofmark-recording',
    version: 2,
    suite: 'shop',
    case: 'opens',
  });
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['server', 'model', 'call', 'model']);
  const all = names.map((name) => read(`${recordings}/${name}`)).join('');
  expect(all).not.toMatch(/Ms"/);
  expect(all).toContain('$redacted');
  for (const canary of canaries) expect(all + outputs.join('')).not.toContain(canary);
  // Each masked secret is reported with its kind, number and place.
  for (const [kind] of shaped) {
    const file = `price.${variant}.1.jsonl`;
    expect(done.stderr).toContain(`masked ${kind}, 2 times in results of price_list: ${file} and`);
  }
  expect(done.stderr).toContain('masked value of a telling name, 2 times in results of price_list');
  expect(done.stderr).toContain('masked secret of this run, 2 times in results of price_list');
  // Equal conversations must give equal bytes, except for the repetition.
  const [otherHead = '', ...others] = read(opens.replace('.1.', '.2.')).trimEnd().split('\n');
  expect(others).toEqual(lines);
  expect([head, otherHead].map((line) => JSON.parse(line).repetition)).toEqual([1, 2]);
});

function writeTwin(file: string, options: SuiteOptions): string {
  writeSuite(options, file);
  cpSync(place(recordings), place(`${file}.recordings`), { recursive: true });
  return file;
}
const removeTwin = (file: string) => {
  for (const name of [file, `${file}.recordings`]) rmSync(place(name), { recursive: true });
};
/** A copy of the suite whose recordings lack the last repetition of the case `price`. */
const short = 'short.suite.yaml';
const shortLast = `${short}.recordings/price.${variant}.2.jsonl`;

test('with the server gone and no data it comes to the same verdict, and asks for no more than is wanted', async () => {
  rmSync(place('shop.mjs'));
  writeTwin(short, { cases: ['opens', 'price'] });
  rmSync(place(shortLast));
  const temporary = place('temporary');
  mkdirSync(temporary);
  const all = () => readdirSync(workspace.folder, { recursive: true }).sort();
  const before = all();
  const done = await workspace.runHere(
    ['test', '--replay', '--repetitions', '1', 'shop.suite.yaml', short],
    { LC_ALL: 'C.UTF-8', PROOFMARK_DATA_DIR: place('nowhere'), TMPDIR: temporary },
  );
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stdout).toMatch(/^PASSED: 3 of 3 cases · proofmark\/lexical-1 · [\d.]+ m?s · free\n/);
  expect(done.stdout).toMatch(
    /^PASSED: 2 of 2 cases ·.*^PASSED: 2 of 2 suites · 5 of 5 cases passed ·/ms,
  );
  expect(done.stderr).toBe(
    [
      'replayed 3 trials of shop.suite.yaml, without a server or a model.',
      `replayed 2 trials of ${short}, without a server or a model.`,
    ]
      .map((line) => `proofmark: ${line}\n`)
      .join(''),
  );
  // Only the report may be written: no database, and no folder for one.
  expect(all()).toEqual(before);
  removeTwin(short);
});

test('a recording that is copied over that of another repetition is stale', async () => {
  const copied = writeTwin('copied.suite.yaml', { cases: ['opens'] });
  for (const name of files().filter((one) => !one.startsWith('opens'))) {
    rmSync(place(`${copied}.recordings/${name}`));
  }
  const [first, second] = [1, 2].map((n) =>
    place(`${copied}.recordings/opens.${variant}.${n}.jsonl`),
  );
  cpSync(first as string, second as string);
  const done = await run('--replay', copied);
  expect(done).toMatchObject({ code: 3, stdout: '' });
  expect(done.stderr).toContain(
    `opens.${variant}.2.jsonl: it is stale: it belongs to the repetition 1`,
  );
  // Recording files of version 1 do not name their repetition. Such a file may be a copy of another
  // one, so it is rejected.
  const text = readFileSync(first as string, 'utf8');
  const sha256 = (of: string) => createHash('sha256').update(of).digest('hex');
  const { hash } = readRecordingLines(text, sha256) ?? {};
  const [head = '', ...lines] = text.split('\n');
  const { repetition: _, ...others } = JSON.parse(head);
  const older = JSON.stringify({ ...others, hash, version: 1 });
  writeFileSync(second as string, [older, ...lines].join('\n'));
  const unnamed = await run('--replay', copied);
  expect(unnamed.code).toBe(3);
  expect(unnamed.stderr).toContain(`may be a copy of opens.${variant}.1.jsonl`);
  // A current file with an edited first line must be rejected as stale.
  writeFileSync(second as string, text.replace('"repetition":1', '"repetition":2'));
  const edited = await run('--replay', copied);
  expect(edited.code).toBe(3);
  expect(edited.stderr).toContain(`opens.${variant}.2.jsonl: it is stale: it was changed after`);
  removeTwin(copied);
});

test('a changed assertion grades anew; what is stale, missing or diverged is named, and is no verdict', async () => {
  writeTwin(short, { cases: ['opens', 'price'] });
  rmSync(place(shortLast));
  const noon = writeTwin('noon.suite.yaml', { needle: 'noon' });
  const stale = writeTwin('stale.suite.yaml', {
    needle: 'noon',
    question: 'the price of bread now?',
  });
  const staleOpens = opens.replace('shop', 'stale');
  writeFileSync(place(staleOpens), read(opens).replace('Tells when', 'Says when'));
  rmSync(place(`${stale}.recordings/again.${variant}.1.jsonl`));
  const done = await run('--replay', '--json', 'shop.suite.yaml', noon, stale, short);
  for (const file of [noon, stale, short]) removeTwin(file);
  const lines = done.stdout.trimEnd().split('\n');
  const [same, changed, unlike, fewer, ...more] = lines.map((line) => JSON.parse(line));
  expect(more, done.stderr).toEqual([]);
  expect(same).toMatchObject({ exitCode: 0, summary: { verdict: 'passed' } });
  expect(changed).toMatchObject({ exitCode: 1, summary: { verdict: 'failed' } });
  expect(unlike).toMatchObject({
    exitCode: 3,
    summary: { replay: { diverged: 2, notRecorded: 4 } },
  });
  expect(fewer).toMatchObject({
    exitCode: 3,
    summary: { replay: { diverged: 0, notRecorded: 2 } },
  });
  expect(done.code).toBe(1);
  expect(done.stderr.split('\n').map((line) => line.replace('proofmark: ', ''))).toEqual([
    'replayed 6 trials of shop.suite.yaml, without a server or a model.',
    `replayed 6 trials of ${noon}, without a server or a model.`,
    `replayed 2 trials of ${stale}; 2 diverged, 4 notRecorded.`,
    'price diverged: The request to the model differs from the recording at /messages/0/content. recorded: What is the price of bread?; now: What is the price of bread now?',
    `${stale}.recordings/again.${variant}.1.jsonl: it is missing.`,
    `${staleOpens}: it is stale: it was changed after the recording.`,
    `replayed 2 trials of ${short}; 0 diverged, 2 notRecorded.`,
    `${shortLast}: it is missing.`,
    '',
  ]);
});

test('recording again leaves equal files alone, and removes those of a case that is gone', async () => {
  writeServer();
  writeSuite({ cases: ['opens', 'price'] });
  const price = `${recordings}/price.${variant}.1.jsonl`;
  const before = statSync(place(price)).mtimeMs;
  const done = await record();
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stderr).toContain(`recorded 4 trials in ${recordings}, and removed 2.`);
  expect(files().filter((name) => name.startsWith('again'))).toEqual([]);
  expect(files()).toHaveLength(4);
  expect(statSync(place(price)).mtimeMs).toBe(before);
  for (const canary of canaries) expect(outputs.join('')).not.toContain(canary);
});

test.each([
  ['both at once', ['--record', '--replay']],
  ['watching', ['--replay', '--watch']],
  ['a server to replay with', ['--replay', '--server', 'http://127.0.0.1:1/mcp']],
  ['a service to replay on', ['--replay', '--url', 'http://127.0.0.1:1']],
])('%s is a wrong use', async (_name, parameters) => {
  const done = await run(...parameters);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toMatch(/^proofmark: [^\n]+\n$/);
});

test('where there are no recordings it says so, and ends without a verdict', async () => {
  rmSync(place(recordings), { recursive: true });
  const done = await run('--replay');
  expect(done).toMatchObject({ code: 3, stdout: '' });
  expect(done.stderr).toContain('there are no recordings');
  expect(done.stderr).toContain('so no case can be replayed');
});
