/**
 * Tests `proofmark ingest` and `reportResults` against a service with default limits. Many
 * concurrent jobs, killed and repeated, must lose no result and count none twice.
 */
import { writeFileSync } from 'node:fs';
import { reportResults } from '@proofmark/client';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import type { ProofmarkProcess } from '@proofmark/harness/journeys/start-proofmark.ts';
import { projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCountingProxy } from './counting-proxy.ts';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
let service: ServiceHere;
let projectId: string;
/**
 * This command calls an address without a service. It retries for some seconds while the other
 * tests run.
 */
let unansweredIngest: ProofmarkProcess;

beforeAll(async () => {
  service = await workspace.serveHere();
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  projectId = made.projectId;
  const nowhere = { PROOFMARK_URL: 'http://127.0.0.1:9', PROOFMARK_API_KEY: made.apiKey };
  const file = writeReport('unheard.xml', 2);
  unansweredIngest = workspace.spawn(['ingest', file, '--suite', 'Unit', '--no-gate'], nowhere);
});
afterAll(() => workspace.remove());

async function createKey(): Promise<string> {
  const who = ['--email', 'owner@acme.example', '--organization', 'Acme'];
  return (await workspace.admin('create-key', ...who)).apiKey;
}

async function environment(): Promise<Record<string, string>> {
  return { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: await createKey() };
}

/**
 * The maximum number of cases in a run with a verdict. Larger reports repeat titles, so that
 * several tests belong to one case.
 */
const mostTitles = 500;

function writeReport(name: string, tests: number, failing = 0, titles = mostTitles): string {
  const cases = Array.from({ length: tests }, (_, at) => {
    const failure = at < failing ? '<failure message="wrong"/>' : '';
    return `<testcase classname="${name}" name="test ${at % titles}" time="0.01">${failure}</testcase>`;
  });
  const file = `${workspace.folder}/${name}`;
  writeFileSync(file, `<testsuite name="${name}">${cases.join('')}</testsuite>`);
  return file;
}

async function trialsOf(runId: string, key: string): Promise<number> {
  const address = `${service.url}/api/v1/projects/${projectId}/eval-runs/${runId}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  const run = (await answer.json()) as { summary: { total: number } };
  return run.summary.total;
}

describe('what it ends with', () => {
  const ingest = async (...parameters: string[]) =>
    workspace.runHere(['ingest', ...parameters], await environment());

  test('is the verdict of all files together, and 0 without the gate', async () => {
    const files = [writeReport('green.xml', 2), writeReport('red.xml', 2, 1)];
    const passed = await ingest(files[0] as string, '--suite', 'Unit');
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stdout).toMatch(/^PASSED/);
    const failed = await ingest(...files, '--suite', 'Unit');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toContain('red.xml::test 0');
    const again = await ingest(...files, '--suite', 'Unit', '--no-gate', '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      verdict: 'failed',
      inserted: 0,
      skipped: 4,
      exitCode: 0,
    });
  });

  test('is the verdict of more tests than a decision holds, and of more trials of one', async () => {
    const passed = await ingest(writeReport('large.xml', 501, 0, 501), '--suite', 'Large');
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stdout).toMatch(/^PASSED: 501 of 501 trials passed\n/);
    expect(passed.stdout).toMatch(
      /The\s+report\s+has\s+more\s+cases\s+than\s+a\s+decision\s+can\s+hold/,
    );
    const failed = await ingest(writeReport('larger.xml', 502, 1, 502), '--suite', 'Large');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toMatch(/^FAILED: 1 of 502 trials failed/);
  });

  test('begins with the word of the gate, and without a gate with the verdict', async () => {
    const file = writeReport('flaky.xml', 4, 1);
    const ingestAs = (...flags: string[]) => ingest(file, '--suite', 'Flaky', ...flags);
    const failed = await ingestAs();
    expect(failed).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^FAILED: 1 of 4 case/),
    });
    const ask = projectApi(service.url, projectId, await createKey());
    const runId = /run_\w+/.exec(failed.stdout)?.[0] as string;
    const { suiteId } = await ask('GET', `eval-runs/${runId}`);
    const reason = 'Known';
    const expiresAt = Date.now() + 3_600_000;
    await ask('POST', `eval-runs/${runId}/gate-waivers`, { expiresAt, reason });
    const waived = await ingestAs();
    expect(waived).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^WAIVED until .*\nFAILED: 1 of 4 case variants/),
    });
    const { cases } = await ask('GET', `eval-runs/${runId}/statistics`);
    const red = cases.find((one: { passedTrials: number }) => one.passedTrials === 0);
    const entry = { caseId: red.testCaseId, owner: 'Mika', reason, expiresAt };
    await ask('POST', `eval-suites/${suiteId}/quarantine`, entry);
    const quarantined = await ingestAs();
    expect(quarantined).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^QUARANTINED: 1 of 4 cases failed, and it is in quarantine/),
    });
    const ungated = await ingestAs('--no-gate');
    expect(ungated).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^FAILED: 1 of 4 case variants/),
    });
  });

  test.each(['0.75', '75', '75%'])(
    'takes %s as a least pass rate, as eval gate does',
    async (rate) => {
      const file = writeReport('share.xml', 4, 1);
      const done = await ingest(file, '--suite', 'Share', '--min-pass-rate', rate);
      expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PASSED/) });
      const runId = /run_\w+/.exec(done.stdout)?.[0] as string;
      const gate = ['eval', 'gate', runId, '--min-pass-rate', rate];
      const gated = await workspace.runHere(gate, await environment());
      expect(gated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PASSED/) });
    },
  );

  test('is what --skipped says of skipped tests, and the headline names it', async () => {
    const file = `${workspace.folder}/skipped.xml`;
    const tests = [
      '<testcase name="a"/>',
      '<testcase name="b"/>',
      '<testcase name="c"><skipped/></testcase>',
    ];
    writeFileSync(file, `<testsuite name="s" tests="3" skipped="1">${tests.join('')}</testsuite>`);
    const share = [file, '--suite', 'Skipping', '--min-pass-rate', '100'];
    const open = await ingest(...share);
    expect(open).toMatchObject({ code: 3 });
    expect(open.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '1 of 3 tests was skipped, and its result would decide whether',
    );
    const ignoring = await ingest(...share, '--skipped', 'ignore');
    expect(ignoring).toMatchObject({ code: 0 });
    expect(ignoring.stdout).toMatch(
      /^PASSED: 2 of 3 trials passed \(100 % needed\), 0 failed and 1 has no result;\s+skipped tests are left out/,
    );
    const failing = await ingest(...share, '--skipped', 'fail');
    expect(failing).toMatchObject({ code: 1 });
    expect(failing.stdout).toMatch(
      /^FAILED: 2 of 3 trials passed .*skipped tests count as failed/s,
    );
    const byCases = [file, '--suite', 'Skipping'];
    expect(await ingest(...byCases)).toMatchObject({ code: 3 });
    const left = await ingest(...byCases, '--skipped', 'ignore');
    expect(left).toMatchObject({ code: 0 });
    expect(left.stdout).toMatch(/^PASSED: both case variants; skipped tests are left out/);
    const wrong = await ingest(...byCases, '--skipped', 'sometimes');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  test('is 2 for a file that is no report, and for one that is not there', async () => {
    const file = `${workspace.folder}/note.txt`;
    writeFileSync(file, 'All is well.');
    const wrong = await ingest(file, '--suite', 'Unit');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('note.txt: The file is neither XML nor JSON');
    const missing = await ingest('nowhere.xml', '--suite', 'Unit');
    expect(missing).toMatchObject({ code: 2, stdout: '' });
  });
});

test('killed on its way and run again, it goes on: all results once', async () => {
  const as = await environment();
  const file = writeReport('killed.xml', 3000);
  const parameters = ['ingest', file, '--suite', 'Killed', '--json'];
  // The proxy passes on the first batch and holds back the second, so the command can be killed
  // halfway.
  const proxy = await openCountingProxy(service.url, (asked) => asked.filter(isBatch).length < 2);
  const first = workspace.spawn(parameters, { ...as, PROOFMARK_URL: proxy.url });
  await until(() => proxy.asked.filter(isBatch).length === 2, 'it is at the second batch');
  expect(first.stderr()).toContain('1,000 of 3,000');
  expect(await first.kill()).toMatchObject({ signal: 'SIGKILL' });
  await proxy.stop();
  const second = await workspace.run(parameters, as);
  expect(second).toMatchObject({ code: 0 });
  const { runId, inserted, skipped } = JSON.parse(second.stdout);
  expect([inserted, skipped]).toEqual([2000, 1000]);
  // A new key is used, since the rate limit of the reporting key may be used up for this minute.
  const fresh = (await environment())['PROOFMARK_API_KEY'] as string;
  expect(await trialsOf(runId, fresh)).toBe(3000);
});

function isBatch(asked: string): boolean {
  return asked.endsWith('/runs/iterations');
}

test('four reporters with one key and 3,000 results each wait for their turn, and lose none', {
  timeout: 120_000,
}, async () => {
  const as = await environment();
  const apiKey = as['PROOFMARK_API_KEY'] as string;
  // All tokens of the rate limit are taken, so that the first command must wait too.
  await takeAllTokens(apiKey);
  const waits = ['', '', '', ''];
  const commands = [0, 1].map(async (at) => {
    const file = writeReport(`job-${at}.xml`, 3000);
    const ended = await workspace.run(['ingest', file, '--suite', `Job ${at}`, '--json'], as);
    expect(ended).toMatchObject({ code: 0 });
    waits[at] = ended.stderr;
    return JSON.parse(ended.stdout) as { runId: string; inserted: number };
  });
  const programs = [2, 3].map((at) =>
    reportResults({
      suite: `Job ${at}`,
      url: service.url,
      apiKey,
      failOnError: true,
      results: Array.from({ length: 3000 }, (_, n) => ({
        caseTitle: `test ${n % mostTitles}`,
        passed: true,
      })),
      tell: (sentence) => {
        waits[at] += sentence;
      },
    }),
  );
  const done = await Promise.all([...commands, ...programs]);
  for (const line of waits) expect(line).toContain('the service limits requests; waiting');
  const fresh = (await environment())['PROOFMARK_API_KEY'] as string;
  for (const sent of done) {
    expect(sent?.inserted).toBe(3000);
    expect(await trialsOf(sent?.runId ?? '', fresh)).toBe(3000);
  }
});

async function takeAllTokens(key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const ask = () => fetch(`${service.url}/api/v1/me`, { headers });
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
}

test('a service that is not there is 3, without the gate too', async () => {
  expect(await unansweredIngest.ended).toMatchObject({ code: 3 });
  expect(unansweredIngest.stderr()).toContain('Could not reach http://127.0.0.1:9');
  expect(unansweredIngest.stdout()).toBe('');
});
