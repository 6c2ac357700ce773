/** `proofmark eval` and `proofmark suite` as a pipeline uses them: real processes against a real service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../harness/test-service.ts';
import { isOneSentence } from './one-sentence.ts';
import { broken, confused, tracked } from './reported-orders.ts';
import type { StartedProofmark } from './start-proofmark.ts';
import { createWorkplace } from './workplace.ts';

const workplace = createWorkplace();
let service: StartedProofmark;
let key: string;
let projectId: string;
const runs: Record<string, string> = {};

beforeAll(async () => {
  service = await workplace.serve([], { PROOFMARK_RATE_LIMIT: 'off' });
  const made = await workplace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
    ...['--project', 'Default'],
  );
  key = made.apiKey;
  projectId = made.projectId;
  runs['passed'] = await report([tracked]);
  runs['failed'] = await report([tracked, confused]);
  runs['waived'] = await report([tracked, confused]);
  runs['inconclusive'] = await report([tracked, broken]);
  runs['unfinished'] = (
    await post('eval-ingest/runs/start', { suiteName: 'Order desk', externalRunId: 'open' })
  ).runId;
  await post(`eval-runs/${runs['waived']}/gate-waivers`, {
    expiresAt: Date.now() + 3_600_000,
    reason: 'The search index is rebuilt.',
  });
});
afterAll(() => workplace.remove());

// biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
async function post(path: string, body: unknown): Promise<any> {
  const url = `${service.url}/api/v1/projects/${projectId}/${path}`;
  const answer = await call(url, { method: 'POST', key, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

async function report(results: readonly unknown[]): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
  return (await post('eval-ingest/report', body)).runId;
}

async function proofmark(parameters: readonly string[], environment: Record<string, string> = {}) {
  const done = await workplace.run(parameters, {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: key,
    LC_ALL: 'C.UTF-8',
    ...environment,
  });
  expect(`${done.stdout}${done.stderr}`).not.toContain(key);
  return done;
}

describe('eval gate', () => {
  test.each([
    ['passed', 0, 'PASSED: the only case variant'],
    ['failed', 1, 'FAILED: 1 of 2 case variants'],
    ['waived', 0, 'Gate waived until'],
    ['inconclusive', 3, 'INCONCLUSIVE: too little was measured'],
    ['unfinished', 3, 'NOT ESTABLISHED: the run has not ended'],
  ])('a run that is %s ends with %i and says why', async (name, exitCode, sentence) => {
    const done = await proofmark(['eval', 'gate', runs[name] as string]);
    expect(done.stderr).toBe('');
    expect(done.stdout).toContain(sentence);
    expect(done.code).toBe(exitCode);
  });

  test('a waiver lets a failing run through and does not change its verdict', async () => {
    const { stdout } = await proofmark(['eval', 'gate', runs['waived'] as string]);
    expect(stdout).toMatch(/^FAILED: 1 of 2/);
    expect(stdout).toContain('The verdict stays failed.');
    const json = await proofmark(['eval', 'gate', runs['waived'] as string, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'failed', isWaived: true });
  });
});

describe('what cannot be answered ends with 3 and one sentence', () => {
  const failures: [string, () => [string[], Record<string, string>?], RegExp][] = [
    ['an unknown run', () => [['eval', 'gate', 'run_none']], /./],
    [
      'a wrong key',
      () => [['eval', 'gate', runs['passed'] as string], { PROOFMARK_API_KEY: 'sk_wrong' }],
      /did not accept the key/,
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
    ['an unknown suite', () => [['eval', 'run', 'Nothing']], /no suite "Nothing"/],
  ];
  test.each(failures)('%s', async (_name, given, sentence) => {
    const [parameters, environment] = given();
    const done = await proofmark(parameters, environment);
    expect(done.stdout).toBe('');
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
    expect(done.stderr).toMatch(sentence);
    expect(done.code).toBe(3);
  });
});

describe('what is used wrongly ends with 2', () => {
  test.each([
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
    const done = await proofmark(['eval', 'gate', 'run_1'], { PROOFMARK_API_KEY: '' });
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
    const long = done.stdout.split('\n').filter((line) => [...line].length > 80);
    // A path is never cut, so that it can be copied.
    expect(long.filter((line) => !line.includes('/projects/'))).toEqual([]);
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

test('suite list shows the suites with how their latest run went', async () => {
  const done = await proofmark(['suite', 'list', '--project', projectId]);
  expect(done.stdout).toMatch(/^ID +LATEST RUN +TRIALS PASSED +NAME\nste_\w+ +.* +Order desk\n$/);
});
