/**
 * Tests `proofmark eval` and `proofmark suite` in a pipeline, against a real service. Each exit
 * code is tested once with a real process; the output is tested in this process.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { broken, confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import {
  makeSuite,
  type ProjectApi,
  projectApi,
  type StockServers,
  startStockServers,
} from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CountingProxy, openCountingProxy } from './counting-proxy.ts';
import { isOneSentence } from './one-sentence.ts';
import { createSharedWorkspace } from './ready-workspace.ts';
import { stockSuite } from './stock-suite.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let key: string;
let projectId: string;
let ask: ProjectApi;
let stock: StockServers;
let proxy: CountingProxy;
const runs: Record<string, string> = {};

beforeAll(async () => {
  stock = await startStockServers();
  service = await workspace.serveHere([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CONCURRENT_RUNS: '20',
  });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const made = await workspace.admin(...owner, '--project', 'Default');
  key = made.apiKey;
  projectId = made.projectId;
  ask = projectApi(service.url, projectId, key);
  runs['passed'] = await report([tracked]);
  runs['failed'] = await report([tracked, confused]);
  runs['waived'] = await report([tracked, confused]);
  runs['inconclusive'] = await report([tracked, broken]);
  proxy = await openCountingProxy(service.url);
  const open = { suiteName: 'Order desk', externalRunId: 'open' };
  runs['unfinished'] = (await ask('POST', 'eval-ingest/runs/start', open)).runId;
  const waiver = { expiresAt: Date.now() + 3_600_000, reason: 'The search index is rebuilt.' };
  await ask('POST', `eval-runs/${runs['waived']}/gate-waivers`, waiver);
});
afterAll(async () => {
  await proxy?.stop();
  await workspace.remove();
  await stock?.stop();
});

async function report(results: readonly unknown[]): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
  return (await ask('POST', 'eval-ingest/report', body)).runId;
}

function credentials(): Record<string, string> {
  return { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: key, LC_ALL: 'C.UTF-8' };
}

async function proofmark(
  parameters: readonly string[],
  environment: Record<string, string> = {},
  { asProcess = false } = {},
) {
  const run = asProcess ? workspace.run : workspace.runHere;
  const done = await run(parameters, { ...credentials(), ...environment });
  expect(`${done.stdout}${done.stderr}`).not.toContain(key);
  return done;
}

/** Returns the lines over 80 columns. A path is never wrapped, so that it can be copied. */
function linesOver80(text: string): string[] {
  const long = text.split('\n').filter((line) => [...line].length > 80);
  return long.filter((line) => !line.includes('/projects/'));
}

describe('eval gate', () => {
  test.concurrent.each([
    ['passed', 0, 'PASSED: the only case variant', true],
    ['failed', 1, 'FAILED: 1 of 2 case variants', true],
    ['waived', 0, 'WAIVED until', false],
    ['inconclusive', 3, 'INCONCLUSIVE: too little was measured', true],
    ['unfinished', 3, 'NOT ESTABLISHED: the run has not ended', false],
  ])('a run that is %s ends with %i and says why', async (name, exitCode, sentence, asProcess) => {
    const done = await proofmark(['eval', 'gate', runs[name] as string], {}, { asProcess });
    expect(done.stderr).toBe('');
    expect(done.stdout).toContain(sentence);
    expect(done.code).toBe(exitCode);
  });

  test('a waiver lets a failing run through and does not change its verdict', async () => {
    const { stdout } = await proofmark(['eval', 'gate', runs['waived'] as string]);
    expect(stdout).toMatch(/^WAIVED until .*\nFAILED: 1 of 2/);
    expect(stdout).toContain('The verdict stays failed.');
    const json = await proofmark(['eval', 'gate', runs['waived'] as string, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'failed', isWaived: true });
  });
});

test('a run is read trial by trial, and its waiver is made and revoked', async () => {
  const run = runs['failed'] as string;
  const listed = await proofmark(['eval', 'iterations', run, '--failed']);
  expect(listed.stdout).toMatch(/^TRIAL +NO +RESULT +STAGE/);
  expect(listed.stdout).toMatch(/failed +selection/);
  const trial = /itr_\w+/.exec(listed.stdout)?.[0] as string;
  const trace = await proofmark(['eval', 'trace', run, trial]);
  expect(`${trace.stdout}${trace.stderr}`).toMatch(/^user\n|This trial has no trace/m);
  expect((await proofmark(['eval', 'steps', run, trial])).stdout).toContain(
    'reported from outside',
  );
  expect((await proofmark(['eval', 'status', run])).stdout).toMatch(/^Verdict: +failed$/m);
  const watched = await proofmark(['eval', 'watch', run]);
  expect(watched.stdout).toMatch(/^FAILED: 1 of 2/);
  expect(watched.code).toBe(1);
  expect(watched.stdout).toContain('Case variants that met their threshold');
  expect((await proofmark(['eval', 'insights', run])).code).toBe(0);
  expect((await proofmark(['eval', 'waive', run])).code).toBe(2);
  const waived = await proofmark(['eval', 'waive', run, '--reason', 'Known', '--expires', '1h']);
  expect(waived.stdout).toMatch(/^Waived until .* UTC: run run_\w+\.$/m);
  expect((await proofmark(['eval', 'gate', run])).stdout).toMatch(/^WAIVED until/);
  expect(await proofmark(['eval', 'watch', run])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^WAIVED until .*\nFAILED: 1 of 2/),
  });
  expect((await proofmark(['eval', 'waive', run, '--revoke'])).stdout).toContain('is revoked.');
  expect((await proofmark(['eval', 'gate', run])).code).toBe(1);
  for (const { stdout } of [listed, watched, waived]) expect(linesOver80(stdout)).toEqual([]);
});

test('a decision is written as a file for other programs', async () => {
  const run = runs['failed'] as string;
  const junit = await proofmark(['eval', 'decision', run, '--junit']);
  expect(junit.stdout).toMatch(/^<\?xml [\s\S]*<failure message="0 of 1 graded trial passed/);
  expect(junit.stdout).toContain('classname="Order desk"');
  const html = await proofmark(['eval', 'decision', run, '--html', '--output', 'report.html']);
  expect(html).toMatchObject({ code: 0, stdout: '', stderr: 'proofmark: wrote report.html.\n' });
  expect(readFileSync(`${workspace.folder}/report.html`, 'utf8')).toMatch(/^<!doctype html>/);
  expect((await proofmark(['eval', 'decision', run, '--html', '--junit'])).code).toBe(2);
});

describe('a large run whose failures come last', () => {
  let runId: string;
  beforeAll(async () => {
    const { trace: _trace, ...passing } = tracked;
    // A verdict on a case uses at most a hundred trials, so the trials are spread over ten cases.
    const results = Array.from({ length: 1000 }, (_, index) =>
      index < 995 ? { ...passing, caseId: `track-${index % 10}` } : confused,
    );
    runId = await report(results);
  });

  async function askedBy(...parameters: string[]) {
    proxy.asked.length = 0;
    const done = await proofmark([
      ...parameters,
      runId,
      '--url',
      proxy.url,
      '--project',
      projectId,
    ]);
    return { ...done, asked: [...proxy.asked] };
  }

  test('is gated by two requests, of the run and of its quarantine', async () => {
    const { asked, stdout, code } = await askedBy('eval', 'gate');
    expect(asked).toEqual([
      `GET /api/v1/projects/${projectId}/eval-runs/${runId}`,
      expect.stringMatching(/eval-suites\/ste_\w+\/quarantine$/),
    ]);
    expect(stdout).toMatch(/^FAILED: 1 of 11 case variants/);
    expect(code).toBe(1);
  });

  test('is explained by four, and the failures are the first thing one sees', async () => {
    const { asked, stdout } = await askedBy('eval', 'decision');
    expect(asked).toHaveLength(4);
    expect(stdout).toMatch(/^FAILED: 1 of 11 case variants; all 5 failing trials stop at/);
    expect(stdout).toContain('Trials that did not pass: 5 of 1,000 trials examined');
    expect(stdout).toContain('Find an order by e-mail, trials 1 to 5: failed');
    expect(stdout).toContain('Expected: search_orders(email: ');
    expect(linesOver80(stdout)).toEqual([]);
  });
});

describe('what cannot be answered ends with 3 and one sentence', () => {
  const failures: [string, () => [string[], Record<string, string>?], RegExp][] = [
    [
      'an unknown run',
      () => [['eval', 'gate', 'run_none']],
      /This id does not exist in the project/,
    ],
    [
      'a wrong key',
      () => [['eval', 'gate', runs['passed'] as string], { PROOFMARK_API_KEY: 'sk_wrong' }],
      /rejected the key/,
    ],
    [
      'no service',
      () => [['eval', 'gate', runs['passed'] as string, '--url', 'http://127.0.0.1:1']],
      /Could not reach http:\/\/127\.0\.0\.1:1\./,
    ],
    [
      'an unknown project',
      () => [['eval', 'gate', runs['passed'] as string, '--project', 'Nowhere']],
      /no project "Nowhere"/,
    ],
    [
      'an unknown suite',
      () => [['eval', 'run', 'Nothing']],
      /no suite "Nothing".*`proofmark suite list`\.$/m,
    ],
  ];
  test.concurrent.each(failures)('%s', async (_name, given, sentence) => {
    const [parameters, environment] = given();
    const done = await proofmark(parameters, environment);
    expect(done.stdout).toBe('');
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
    expect(done.stderr).toMatch(sentence);
    expect(done.code).toBe(3);
  });
});

describe('what is used wrongly ends with 2', () => {
  test.concurrent.each([
    ['no run', ['eval', 'gate']],
    ['an unknown command', ['eval', 'dance']],
    ['an unknown flag', ['eval', 'decision', 'run_1', '--loud']],
    ['a number that is none', ['eval', 'run', 'Order desk', '--iterations', 'many']],
    ['an address that is none', ['eval', 'gate', 'run_1', '--url', 'nowhere']],
    ['a file that is not there', ['suite', 'import', 'missing.yaml']],
  ])('%s', async (_name, parameters) => {
    const done = await proofmark(parameters);
    expect(done.stdout).toBe('');
    expect(done.stderr).not.toBe('');
    expect(done.code).toBe(2);
  });

  test('no key at all', async () => {
    const noKey = { PROOFMARK_API_KEY: '' };
    const done = await proofmark(['eval', 'gate', 'run_1'], noKey, { asProcess: true });
    expect(done.stderr).toContain('PROOFMARK_API_KEY');
    expect(done.code).toBe(2);
  });

  test('asking for help is no mistake', async () => {
    expect((await proofmark(['eval', 'run', '--help'])).code).toBe(0);
  });
});

describe('eval decision', () => {
  test('reads at 80 columns, signs and all, and ends with 0 whatever the verdict', async () => {
    const done = await proofmark(['eval', 'decision', runs['failed'] as string]);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('✗ selection');
    expect(linesOver80(done.stdout)).toEqual([]);
  });

  test('prints only ASCII where the terminal can do no more', async () => {
    const done = await proofmark(['eval', 'decision', runs['failed'] as string], { LC_ALL: 'C' });
    expect(done.stdout).toContain('F selection');
    expect(done.stdout).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('is Markdown for a pull request, or the summary itself as JSON', async () => {
    const run = runs['failed'] as string;
    expect((await proofmark(['eval', 'decision', run, '--markdown'])).stdout).toMatch(
      /^### FAILED: 1 of 2/,
    );
    const { stdout } = await proofmark(['eval', 'decision', run, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, runId: run, verdict: 'failed' });
  });
});

describe('eval run --wait', () => {
  test.concurrent.each([
    ['passed', 0, /^PASSED: the only case variant/, {}],
    ['failed', 1, /^FAILED: 1 of 1 case variant/, { expects: 'weigh' }],
    ['inconclusive', 3, /^INCONCLUSIVE: too little/, { serverUrl: 'http://127.0.0.1:9/mcp' }],
  ])('ends as its gate does: %s', async (name, exitCode, sentence, more) => {
    const asProcess = exitCode === 1;
    const suiteId = await makeSuite(ask, { name, serverUrl: stock.url, ...more });
    const [text, json] = await Promise.all([
      proofmark(['eval', 'run', name, '--wait'], {}, { asProcess }),
      proofmark(['eval', 'run', suiteId, '--wait', '--json', '--iterations', '2']),
    ]);
    expect(text.stdout).toMatch(sentence);
    const before = 'proofmark: 1 trial, without a model.\nproofmark: this costs nothing.\n';
    expect(text.stderr.startsWith(before), text.stderr).toBe(true);
    expect(text.stderr).toMatch(/^proofmark: run run_\w+ has started\.$/m);
    expect(json.stderr).toContain('proofmark: 2 trials, without a model.\n');
    expect(linesOver80(text.stdout + text.stderr)).toEqual([]);
    expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, verdict: name });
    expect([text.code, json.code]).toEqual([exitCode, exitCode]);
  });

  test('tells what the run used, where a model was asked', async () => {
    const steps = [{ id: 'ask', kind: 'prompt', prompt: 'How many pens are there?' }];
    await makeSuite(ask, { name: 'asking', serverUrl: stock.url, ofCase: { steps } });
    const done = await proofmark(['eval', 'run', 'asking', '--wait']);
    expect(done.stderr).toMatch(/^proofmark: used [1-9]\d* tokens in, [1-9]\d* out; free\.$/m);
  });

  test('Ctrl+C ends the waiting and leaves the run alone; cancel stops it', async () => {
    await makeSuite(ask, { name: 'held', serverUrl: stock.url, repetitions: 2 });
    stock.hold();
    const waiting = workspace.spawn(['eval', 'run', 'held', '--wait'], credentials());
    await until(() => waiting.stderr().includes('0 of 2 trials done.'), 'the run is followed');
    process.kill(waiting.pid, 'SIGINT');
    expect(await waiting.ended).toEqual({ code: null, signal: 'SIGINT' });
    const runId = /run_\w+/.exec(waiting.stderr())?.[0] as string;
    expect(waiting.stderr()).toContain(`continues; this command no longer waits for it.`);
    expect(waiting.stderr()).toContain(`proofmark eval decision ${runId}\n`);
    expect((await ask('GET', `eval-runs/${runId}`)).status).toBe('running');
    const cancelled = await proofmark(['eval', 'cancel', runId]);
    expect(cancelled).toMatchObject({ code: 0, stdout: `Run ${runId} is cancelled.\n` });
    stock.release();
    expect((await proofmark(['eval', 'gate', runId])).code).toBe(3);
  });

  test('what the service calls a wrong request is a wrong use', async () => {
    const suiteId = await makeSuite(ask, { name: 'placed', serverUrl: stock.url });
    const config = { modelId: 'proofmark/lexical-1' };
    const { id: hostId } = await ask('POST', 'clients', { name: 'Desk', config });
    const environmentIds = await Promise.all(
      ['One', 'Two'].map(
        async (name) => (await ask('POST', 'environments', { name, hostId })).id as string,
      ),
    );
    await ask('PATCH', `eval-suites/${suiteId}`, { environmentIds });
    const done = await proofmark(['eval', 'run', 'placed', '--wait']);
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
    expect(done.stderr).toContain('environment');
    expect(done).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('suite files', () => {
  const file = (name: string) => `${workspace.folder}/${name}`;
  const assertions = 'assertions: [{ type: noToolErrors }]';

  test('are imported, replaced, listed and exported to the same bytes', async () => {
    const server = { name: 'stock-room', enabled: true, transportType: 'http', url: stock.url };
    await ask('POST', 'servers', server);
    writeFileSync(file('stock.yaml'), stockSuite(assertions));
    const made = await proofmark(['suite', 'import', 'stock.yaml']);
    expect(made.stdout).toMatch(/^Made suite Stock with 1 case\.\nRun it: proofmark eval run ste_/);
    const exported = await proofmark(['suite', 'export', 'Stock']);
    expect(exported.stdout).toContain('id: pens');
    writeFileSync(file('again.yaml'), exported.stdout);
    const again = await proofmark(['suite', 'import', 'again.yaml', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ replaced: true, name: 'Stock' });
    const [text, json] = await Promise.all([
      proofmark(['suite', 'export', 'Stock']),
      proofmark(['suite', 'export', 'Stock', '--json']),
    ]);
    expect(text.stdout).toBe(exported.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({ suite: { id: 'stock', name: 'Stock' } });
  });

  test('one that is wrong ends with 2 and says where', async () => {
    writeFileSync(file('wrong.yaml'), stockSuite('assertion: []'));
    const done = await proofmark(['suite', 'import', 'wrong.yaml']);
    expect(done.stderr).toMatch(/^proofmark: Line 11, column 5: cases\[0\]\.assertion: /);
    expect(done.stderr).toMatch(/\nproofmark: wrong\.yaml: 1 mistake; nothing was imported\.\n$/);
    expect(linesOver80(done.stderr)).toEqual([]);
    expect(done).toMatchObject({ code: 2, stdout: '' });
  });
});

test('suite list shows the suites with the verdict of their latest run', async () => {
  await report([tracked, confused]);
  const done = await proofmark(['suite', 'list', '--project', projectId]);
  expect(done.stdout).toMatch(/^ID +LATEST RUN +TRIALS PASSED +NAME\n/);
  expect(done.stdout).toMatch(/^ste_\w+ +failed +1 of 2 +Order desk$/m);
  expect(done.stdout).toMatch(/^ste_\w+ +inconclusive +0 of \d +inconclusive$/m);
  expect(linesOver80(done.stdout)).toEqual([]);
});
