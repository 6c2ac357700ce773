/**
 * Tests `proofmark eval gate` with bounds against a real service: their decisions, and undecided
 * ones.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';
import { broken, confused, tracked } from './reported-orders.ts';
import { type ProjectApi, projectApi } from './stock-servers.ts';

const workspace = createSharedWorkspace();
const runs: Record<string, string> = {};
let environment: Record<string, string>;
let ask: ProjectApi;

beforeAll(async () => {
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const { apiKey, projectId } = await workspace.admin(...owner, '--project', 'Default');
  environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey, LC_ALL: 'C.UTF-8' };
  ask = projectApi(service.url, projectId, apiKey);
  runs['passed'] = await report([tracked]);
  runs['failed'] = await report([tracked, confused]);
  runs['waived'] = await report([tracked, confused]);
  runs['inconclusive'] = await report([tracked, broken]);
  const waiver = { expiresAt: Date.now() + 3_600_000, reason: 'The search index is rebuilt.' };
  await ask('POST', `eval-runs/${runs['waived']}/gate-waivers`, waiver);
});
afterAll(() => workspace.remove());

async function report(results: readonly unknown[]): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
  return (await ask('POST', 'eval-ingest/report', body)).runId;
}

function proofmark(parameters: readonly string[]) {
  return workspace.runHere(parameters, environment);
}

test('takes them in the place of the verdict', async () => {
  const bounded = (name: string, ...flags: string[]) =>
    proofmark(['eval', 'gate', runs[name] as string, ...flags]);
  const half = await bounded('failed', '--min-pass-rate', '0.5');
  expect(half.stdout).toMatch(/^GATE PASSED .*\n {2}1 of 2 trials passed \(50 %\); at least/);
  expect(half.code).toBe(0);
  expect((await bounded('failed', '--min-pass-rate', '.9')).code).toBe(1);
  const open = await bounded('waived', '--min-pass-rate', '.9');
  expect(open.stdout).toMatch(/^WAIVED until .*\nGATE FAILED/);
  expect((await bounded('waived', '--min-pass-rate', '.5')).stdout).toMatch(/^GATE PASSED/);
  expect((await bounded('failed', '--min-pass-rate', '90')).code).toBe(2);
  expect((await bounded('inconclusive', '--min-pass-rate', '0')).code).toBe(3);
  const same = await bounded('waived', '--baseline', runs['failed'] as string, '--json');
  expect(JSON.parse(same.stdout)).toMatchObject({ outcome: 'passed', exitCode: 0 });
  const unlike = await bounded('failed', '--baseline', 'previous');
  expect(unlike.stdout).toMatch(/^NO ANSWER .*\n {2}The runs differ in their cases/);
  expect(unlike.code).toBe(3);
  const first = await bounded('passed', '--baseline', 'previous');
  expect(first).toMatchObject({ code: 3, stdout: '' });
  expect(first.stderr).toContain('--baseline RUN');
});

test('a drop counts outside the noise alone, and too few trials are said', async () => {
  const reported = (passing: number, trials: number) =>
    report(Array.from({ length: trials }, (_, at) => ({ ...tracked, passed: at < passing })));
  const against = async (base: [number, number], now: [number, number], name?: 'previous') => {
    const [baseline, run] = [await reported(...base), await reported(...now)];
    const done = await proofmark(['eval', 'gate', run, '--baseline', name ?? baseline]);
    return { run, code: done.code, stdout: done.stdout.replaceAll(/\s+/g, ' ') };
  };
  const drop = await against([10, 10], [5, 10], 'previous');
  expect(drop).toMatchObject({ code: 1, stdout: expect.stringMatching(/^GATE FAILED/) });
  expect(drop.stdout).toContain('a drop outside the noise, 95 % interval');
  const noise = await against([9, 10], [8, 10]);
  expect(noise).toMatchObject({ code: 0, stdout: expect.stringContaining('within the noise') });
  const few = await against([4, 4], [3, 4], 'previous');
  expect(few).toMatchObject({ code: 3, stdout: expect.stringContaining('too few trials') });
  await proofmark(['eval', 'waive', drop.run, '--reason', 'Known', '--expires', '1h']);
  const open = await proofmark(['eval', 'gate', drop.run, '--min-pass-rate', '0.9']);
  expect(open).toMatchObject({ code: 0, stdout: expect.stringMatching(/^WAIVED until/) });
});
