import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const environment = { LC_ALL: 'C.UTF-8' };
const run = (...parameters: string[]) => workspace.runHere(parameters, environment);
afterAll(() => workspace.remove());

const suite = `schemaVersion: "1"
suite: { id: hours, name: Hours }
target: { servers: [{ name: shop }] }
cases:
  - id: opens
    title: Tells when it opens
    ask: When does the shop open today?
    calls: opening_time
`;

async function tested(file: string, toolName: string): Promise<void> {
  writeOwnServer(place('shop.mjs'), { toolName });
  writeFileSync(place('hours.suite.yaml'), suite);
  const command = ['--server-command', 'node shop.mjs', '--repetitions', '5'];
  const done = await run('test', '--json', file, ...command);
  expect([0, 1], done.stderr).toContain(done.code);
}

test('two files are compared as two runs are, and a changed tool is told', async () => {
  await tested('base.json', 'opening_time');
  await tested('head.json', 'closing_time');
  const done = await run('eval', 'compare', 'base.json', 'head.json');
  expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout.split('\n').slice(0, 13)).toEqual([
    'Worse than base.json (paired over 1 case, too few to compare; corrected over 1',
    '  case): 1 of 1 case got worse.',
    'Before: base.json (passed). After: head.json (failed).',
    '  Tells when it opens: got worse; 0 of 5 passed, before 5 of 5; outside the',
    '    noise at 5 % (p = 0.0079, corrected over 1 case).',
    'A paired comparison needs 6 cases with graded trials in both runs; there is 1 (5',
    '  trials; in base.json: 5).',
    "Single cases are compared by Fisher's exact test, corrected over 1 case by Holm:",
    '  if nothing changed, the chance that any is called better or worse is at most',
    '  5 %.',
    'Changed tools, the likeliest causes first:',
    '  The tool "opening_time" is called "closing_time" now; 5 failing trials have to',
    '    do with it.',
  ]);
  expect(done.stdout).toMatch(/^The tools take \d+ tokens of o200k_base .* (more|fewer|as many)/m);
  for (const line of done.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const json = await run('eval', 'compare', 'base.json', 'head.json', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    suite: { id: 'hours', name: 'Hours' },
    baseRun: { file: 'base.json', result: 'passed' },
    cases: [
      {
        caseKey: 'opens',
        status: 'regressed',
        significance: 'outside_noise',
        bh: expect.closeTo(2 / 252),
      },
    ],
    correction: { cases: 1, level: 0.05 },
    paired: { pairs: 1, difference: -1, method: 'none', p: null },
    tokens: { compare: { servers: [{ serverName: 'shop' }] } },
  });
  expect(existsSync(place('.proofmark'))).toBe(false);
});

test('files in the other order are compared as named, and told', async () => {
  const done = await run('eval', 'compare', 'head.json', 'base.json');
  expect(done.code).toBe(0);
  expect(done.stdout).toMatch(/^Better than head\.json \(paired/);
  expect(done.stderr).toContain('head.json is newer than base.json');
});

test('statistics are about the newest file, and about flakiness with the same tools', async () => {
  await tested('again.json', 'opening_time');
  const done = await run('eval', 'statistics', 'again.json', 'base.json', 'head.json', '--k', '3');
  expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout.replaceAll(/\n\s*/g, ' ')).toMatch(
    /^Tells when it opens 5 of 5 graded trials passed, .* Chance that 3 trials all pass: 100 %\. All of 10 graded trials passed over 2 runs with the same tools\./,
  );
});

test('several suites of a file are one JSON document', async () => {
  const second = suite.replace('id: hours, name: Hours', 'id: days, name: Days');
  writeFileSync(place('days.suite.yaml'), second);
  const named = ['hours.suite.yaml', 'days.suite.yaml', '--server-command', 'node shop.mjs'];
  expect(await run('test', '--json', 'both.json', ...named)).toMatchObject({ code: 0 });
  const suites = [
    { suite: { id: 'hours', name: 'Hours' }, cases: [{ title: 'Tells when it opens' }] },
    { suite: { id: 'days', name: 'Days' }, cases: [{ title: 'Tells when it opens' }] },
  ];
  for (const words of [
    ['plan', 'both.json', '--drop', '0.1'],
    ['compare', 'both.json', 'both.json'],
    ['statistics', 'both.json'],
  ]) {
    const done = await run('eval', ...words, '--json');
    expect(JSON.parse(done.stdout), words.join(' ')).toMatchObject({ suites });
  }
  rmSync(place('days.suite.yaml'));
});

test('ten cases that pass fit on a screen in every command', async () => {
  const cases = Array.from(
    { length: 10 },
    (_, at) =>
      `  - { id: case-${at}, title: Tells the time ${at}, ask: When does the shop open today?, calls: opening_time }`,
  );
  writeFileSync(
    place('ten.suite.yaml'),
    `${suite.split('cases:')[0]}cases:\n${cases.join('\n')}\n`,
  );
  const command = ['--server-command', 'node shop.mjs'];
  const screens: readonly string[][] = [
    ['test', 'ten.suite.yaml', ...command, '--json', 'ten.json', '--record'],
    ['test', 'ten.suite.yaml', '--replay'],
    ['lint', ...command],
    ['eval', 'plan', 'ten.json', '--drop', '0.1'],
    ['eval', 'plan', 'ten.suite.yaml', '--drop', '0.1'],
    ['eval', 'compare', 'ten.json', 'ten.json'],
    ['eval', 'statistics', 'ten.json'],
  ];
  for (const words of screens) {
    const { code, stdout, stderr } = await run(...words);
    const lines = `${stdout}${stderr}`.trimEnd().split('\n');
    expect(code, words.join(' ')).toBe(0);
    expect(lines.length, words.join(' ')).toBeLessThanOrEqual(25);
    expect(stdout.split('\n').every((line) => [...line].length <= 80)).toBe(true);
  }
  rmSync(place('ten.suite.yaml'));
});

test('other files are refused in one sentence', async () => {
  const refused = async (...words: string[]) => {
    const { code, stdout, stderr } = await run('eval', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr.replaceAll(/\s+/g, ' ');
  };
  writeFileSync(place('other.json'), '{"format":"other"}');
  expect(await refused('compare', 'base.json', 'other.json')).toContain(
    'other.json was not written by `proofmark test --json FILE` of this version',
  );
  expect(await refused('compare', 'base.json')).toContain('Name a second file after base.json');
  expect(await refused('compare', 'base.json', 'run_1f3a')).toContain('run_1f3a is not');
  expect(await refused('compare', 'base.json', 'gone.json')).toContain(
    'There is no file gone.json',
  );
  expect(await refused('statistics', 'run_1', 'run_2')).toContain('Name only one run');
  const renamed = readFileSync(place('base.json'), 'utf8').replace('"id": "hours"', '"id": "x"');
  writeFileSync(place('renamed.json'), renamed);
  expect(await refused('compare', 'base.json', 'renamed.json')).toContain('no suite in common');
  expect(await refused('statistics', 'base.json', 'renamed.json')).toContain(
    'renamed.json does not contain the suite "Hours" of base.json',
  );
});
