/**
 * Measures the cost of a decision summary: the first 50 decisions of a run, compared with a bare
 * server. Then compares the same request for runs of 100 and of 100,000 trials.
 */
import { besideBareServer, describe, measure } from './beside-bare-server.ts';
import { startService } from './processes.ts';
import { reportRun } from './reported-trials.ts';

const rounds = 3;
const service = await startService();
try {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const pathOf = (runId: string) =>
    `/api/v1/projects/${service.projectId}/eval-runs/${runId}/decision-summary?limit=50`;
  const decided = await reportRun(service, { name: 'decided', trials: 100, cases: 20 });
  const beside = await besideBareServer(service.url, pathOf(decided), headers);
  console.log(describe('Decision summary, limit=50', beside));

  // Verdict policy v2 does not decide a case with this many trials. Both runs therefore use a
  // minimum pass rate.
  const runs = { cases: 20, legacy: true };
  const small = await reportRun(service, { ...runs, name: 'small', trials: 100 });
  const large = await reportRun(service, { ...runs, name: 'large', trials: 100_000 });
  const p50 = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    p50.small.push((await measure(service.url, pathOf(small), headers)).p50Ms);
    p50.large.push((await measure(service.url, pathOf(large), headers)).p50Ms);
  }
  const [of100, of100000] = [Math.min(...p50.small), Math.min(...p50.large)];
  console.log(
    [
      `Decision summary, limit=50, p50, best of ${rounds}`,
      `100 iterations       ${of100} ms`,
      `100,000 iterations   ${of100000} ms`,
      `ratio                ${(of100000 / of100).toFixed(2)}`,
    ].join('\n'),
  );
} finally {
  await service.stop();
}
