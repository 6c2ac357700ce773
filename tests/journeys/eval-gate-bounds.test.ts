import { broken, confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

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
  expect(half.stdout).toMatch(/^PASSED .*\n {2}1 of 2 trials passed \(50 %\); at least/);
  expect(half.code).toBe(0);
  expect((await bounded('failed', '--min-pass-rate', '.9')).code).toBe(1);
  const open = await bounded('waived', '--min-pass-rate', '.9');
  expect(open.stdout).toMatch(/^WAIVED until .*\nFAILED/);
  expect((await bounded('waived', '--min-pass-rate', '.5')).stdout).toMatch(/^PASSED/);
  expect((await bounded('failed', '--min-pass-rate', '90')).code).toBe(2);
  expect((await bounded('inconclusive', '--min-pass-rate', '0')).code).toBe(3);
  const same = await bounded('waived', '--baseline', runs['failed'] as string, '--json');
  expect(JSON.parse(same.stdout)).toMatchObject({
    outcome: 'incomplete',
    exitCode: 3,
    gates: [{ gate: 'noDropBelowBaseline', paired: { pairs: 2, method: 'none', p: null } }],
  });
  const unlike = ['failed', '--baseline', 'previous'] as const;
  const few = await bounded(...unlike);
  expect(few.stdout).toMatch(
    /^INCONCLUSIVE .*\n {2}A paired comparison needs 6 cases .* there is 1/,
  );
  expect(few.stdout.replaceAll(/\s+/g, ' ')).toContain('Left out, since only this run has it:');
  expect(few.code).toBe(3);
  const strict = await bounded(...unlike, '--same-cases');
  expect(strict.stdout).toMatch(/^FAILED/);
  expect(strict.stdout).toContain('The runs differ in their cases.');
  expect(strict.code).toBe(1);
  expect((await bounded('failed', '--same-cases')).code).toBe(2);
  const first = await bounded('passed', '--baseline', 'previous');
  expect(first).toMatchObject({ code: 3, stdout: '' });
  expect(first.stderr).toContain('--baseline RUN');
});

test('a drop counts by the pairs of both runs, and too few cases are said', async () => {
  const reported = (passing: readonly number[], trials: number) =>
    report(
      passing.flatMap((passed, index) =>
        Array.from({ length: trials }, (_, at) => ({
          ...tracked,
          caseTitle: `Track parcel ${index}`,
          caseId: `track-${index}`,
          passed: at < passed,
        })),
      ),
    );
  const against = async (base: readonly number[], now: readonly number[], name?: 'previous') => {
    const [baseline, run] = [await reported(base, 4), await reported(now, 4)];
    const done = await proofmark(['eval', 'gate', run, '--baseline', name ?? baseline]);
    return { run, code: done.code, stdout: done.stdout.replaceAll(/\s+/g, ' ') };
  };
  const all = [4, 4, 4, 4, 4, 4];
  const drop = await against(all, [2, 3, 2, 3, 2, 3], 'previous');
  expect(drop).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAILED/) });
  expect(drop.stdout).toContain('Paired over 6 cases (24 trials;');
  expect(drop.stdout).toContain('p = 0.031, two-sided, by an exact sign-flip test: a drop');
  const noise = await against(all, [4, 4, 4, 4, 4, 3]);
  expect(noise).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no difference beyond chance'),
  });
  const few = await against([4, 4, 4, 4, 4], [0, 0, 0, 0, 0], 'previous');
  expect(few).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('A paired comparison needs 6'),
  });
  await proofmark(['eval', 'waive', drop.run, '--reason', 'Known', '--expires', '1h']);
  const open = await proofmark(['eval', 'gate', drop.run, '--min-pass-rate', '0.9']);
  expect(open).toMatchObject({ code: 0, stdout: expect.stringMatching(/^WAIVED until/) });
});
