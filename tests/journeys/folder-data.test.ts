/**
 * Commands about suites and runs without a running service: on files alone, or on the data that
 * `test --keep` left in the folder.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const environment = { LC_ALL: 'C.UTF-8', XDG_CONFIG_HOME: place('config') };
const run = (...words: string[]) => workspace.runHere(words, environment);
afterAll(() => workspace.remove());

const suite = (model: string) => `schemaVersion: "1"
suite: { id: hours, name: Hours }
target: { servers: [{ name: shop, command: node, args: [shop.mjs] }] }
defaults: { model: ${model}, repetitions: 5, passThreshold: 0.8 }
cases:
  - id: opens
    title: Tells when it opens
    ask: When does the shop open today?
    calls: opening_time
`;

test('a suite file is planned by its settings, and nothing is started or made', async () => {
  writeFileSync(place('hours.suite.yaml'), suite('openai/gpt-5'));
  const planned = await run('eval', 'plan', 'hours.suite.yaml', '--drop', '0.1');
  expect(planned, planned.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain('Tells when it opens on openai/gpt-5\n  Fixed: 77 trials;');
  expect(planned.stdout).toContain("Today's 5 trials at a threshold of 80 %");
  const json = await run('eval', 'plan', 'hours.suite.yaml', '--drop', '0.1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ drop: 0.1, run: { cases: 1, fixed: 77 } });
  expect(existsSync(place('.proofmark'))).toBe(false);
});

test('a mistake of the file is named, and a drop above the healthy rate refused', async () => {
  const drop = await run('eval', 'plan', 'hours.suite.yaml', '--drop', '0.97');
  expect(drop).toMatchObject({ code: 2, stdout: '' });
  expect(drop.stderr).toContain('The drop must be smaller than the healthy rate.');
  writeFileSync(place('wrong.suite.yaml'), suite('openai/gpt-5').replace('calls:', 'cals:'));
  const wrong = await run('eval', 'plan', 'wrong.suite.yaml', '--drop', '0.1');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('cals');
  expect(wrong.stderr).toContain('wrong.suite.yaml: 1 mistake');
  rmSync(place('wrong.suite.yaml'));
});

test('what a test wrote is planned with the time of its trials', async () => {
  writeOwnServer(place('shop.mjs'), { toolName: 'opening_time' });
  writeFileSync(place('hours.suite.yaml'), suite('proofmark/lexical-1'));
  const tested = await run('test', '--trust', '--json', 'hours.json');
  expect(tested.code, tested.stderr).toBe(0);
  const planned = await run('eval', 'plan', 'hours.json', '--drop', '0.1');
  expect(planned, planned.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain(
    'One trial is enough, because no model is asked, or only the built-in model.',
  );
});

test('the servers of a suite file are linted without a service', async () => {
  const linted = await run('suite', 'lint', 'hours.suite.yaml');
  expect(linted, linted.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(linted.stdout).toMatch(/^shop: 1 tool, \d+ tokens/);
  const strict = await run('suite', 'lint', 'hours.suite.yaml', '--strict', '--json');
  const { findings } = JSON.parse(strict.stdout) as { findings: { severity: string }[] };
  const isGrave = findings.some(({ severity }) => severity !== 'info');
  expect(strict.code).toBe(isGrave ? 1 : 0);
  const ofRun = await run('suite', 'lint', 'hours.suite.yaml', '--run', 'run_1');
  expect(ofRun).toMatchObject({ code: 2, stdout: '' });
});

test('runs that a test kept are read where no service runs', async () => {
  for (const file of ['first.json', 'second.json']) {
    const kept = await run('test', '--trust', '--keep', '--json', file);
    expect(kept.code, kept.stderr).toBe(0);
  }
  const [earlier, runId] = ['first.json', 'second.json'].map((file) => {
    const { suites } = JSON.parse(readFileSync(place(file), 'utf8')) as {
      suites: { runId: string }[];
    };
    return suites[0]?.runId ?? '';
  }) as [string, string];
  const statistics = await run('eval', 'statistics', runId);
  expect(statistics.code, statistics.stderr).toBe(0);
  expect(statistics.stdout).toContain('5 of 5 graded trials passed');
  const compared = await run('eval', 'compare', runId);
  expect(compared.code, compared.stderr).toBe(0);
  expect(compared.stdout).toContain('Every case has the same result as before.');
  const both = await run('eval', 'compare', earlier, runId);
  expect(both, both.stderr).toMatchObject({ code: 0, stderr: '', stdout: compared.stdout });
  const reversed = await run('eval', 'compare', runId, earlier);
  expect(reversed.stderr).toContain(
    `${runId} is newer than ${earlier}; name the earlier one first`,
  );
  expect(reversed.stdout).toContain('Before: run 2 (passed). After: run 1 (passed).');
  const listed = await run('eval', 'list');
  expect(listed.stdout.split('\n')).toEqual([
    expect.stringMatching(/^RUN +WHEN +VERDICT +SUITE$/),
    expect.stringMatching(new RegExp(`^${runId}  [\\d-]{10} [\\d:]{5}Z  passed +Hours$`)),
    expect.stringContaining(earlier),
    '',
  ]);
  const one = await run('eval', 'list', '--suite', 'Hours', '--limit', '1', '--json');
  expect(JSON.parse(one.stdout)).toMatchObject([{ id: runId, suiteName: 'Hours' }]);
  const surface = await run('eval', 'surface', runId);
  expect(surface.stdout, surface.stderr).toContain('Both runs had the same tools.');
  const plan = await run('eval', 'plan', 'Hours', '--drop', '0.1');
  expect(plan.code, plan.stderr).toBe(0);
  expect(existsSync(place('.proofmark/service.json'))).toBe(false);
});
