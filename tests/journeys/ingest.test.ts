/**
 * `proofmark ingest` against a service with the limits it has by default: as many jobs at once as there are, killed and
 * run again, nothing is lost and nothing is counted twice.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';
import type { StartedProofmark } from './start-proofmark.ts';
import { until } from './until.ts';

const workspace = createReadyWorkspace();
let service: StartedProofmark;
let projectId: string;

beforeAll(async () => {
  service = await workspace.serve();
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  projectId = made.projectId;
});
afterAll(() => workspace.remove());

/** A key of its own has a bucket of its own. */
async function environment(): Promise<Record<string, string>> {
  const who = ['--email', 'owner@acme.example', '--organization', 'Acme'];
  const { apiKey } = await workspace.admin('create-key', ...who);
  return { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey };
}

/** A run is decided over at most so many cases; a report may repeat them. */
const mostTitles = 500;

function writeReport(name: string, tests: number, failing = 0): string {
  const cases = Array.from({ length: tests }, (_, at) => {
    const failure = at < failing ? '<failure message="wrong"/>' : '';
    return `<testcase classname="${name}" name="test ${at % mostTitles}" time="0.01">${failure}</testcase>`;
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
  let as: Record<string, string>;
  beforeAll(async () => {
    as = await environment();
  });

  test('is the verdict of all files together, and 0 without the gate', async () => {
    const files = [writeReport('green.xml', 2), writeReport('red.xml', 2, 1)];
    const passed = await workspace.runHere(['ingest', files[0] as string, '--suite', 'Unit'], as);
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stdout).toMatch(/^PASSED/);
    const failed = await workspace.runHere(['ingest', ...files, '--suite', 'Unit'], as);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toContain('red.xml::test 0');
    const told = ['ingest', ...files, '--suite', 'Unit', '--no-gate', '--json'];
    const again = await workspace.runHere(told, as);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      ...{ verdict: 'failed', inserted: 0, skipped: 4, exitCode: 0 },
    });
  });

  test('is 2 for a file that is no report, and 3 for a service that is not there', async () => {
    const file = `${workspace.folder}/note.txt`;
    writeFileSync(file, 'All is well.');
    const wrong = await workspace.runHere(['ingest', file, '--suite', 'Unit'], as);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('note.txt: The file is neither XML nor JSON');
    const missing = await workspace.runHere(['ingest', 'nowhere.xml', '--suite', 'Unit'], as);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
  });
});

test('killed on its way and run again, it goes on: all results once', async () => {
  const as = await environment();
  const file = writeReport('killed.xml', 3000);
  const parameters = ['ingest', file, '--suite', 'Killed', '--json'];
  const first = workspace.spawn(parameters, as);
  await until(() => first.stderr().includes('1,000 of 3,000'), 'a part is reported');
  expect(await first.kill()).toMatchObject({ signal: 'SIGKILL' });
  const second = await workspace.run(parameters, as);
  expect(second).toMatchObject({ code: 0 });
  const { runId, inserted, skipped } = JSON.parse(second.stdout);
  expect(skipped).toBeGreaterThanOrEqual(1000);
  expect(inserted + skipped).toBe(3000);
  // The key that reported may have no request left this minute.
  const fresh = (await environment())['PROOFMARK_API_KEY'] as string;
  expect(await trialsOf(runId, fresh)).toBe(3000);
});

test('four jobs with one key and 3,000 results each wait for their turn, and lose none', async () => {
  const as = await environment();
  const jobs = Array.from({ length: 4 }, (_, at) => {
    const file = writeReport(`job-${at}.xml`, 3000);
    return workspace.run(['ingest', file, '--suite', `Job ${at}`, '--json'], as);
  });
  const done = await Promise.all(jobs);
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(done.map(({ stderr }) => stderr).join('')).toContain('limits requests');
  const fresh = (await environment())['PROOFMARK_API_KEY'] as string;
  for (const { stdout } of done) {
    const { runId, inserted } = JSON.parse(stdout);
    expect([inserted, await trialsOf(runId, fresh)]).toEqual([3000, 3000]);
  }
}, 120_000);
