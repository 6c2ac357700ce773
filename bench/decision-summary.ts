/**
 * What explaining a verdict costs: the decision summary at limit=50 of a run decided under policy v2, and the
 * same read of a run of 100 and of one of 100,000 iterations.
 */
import { besideBareServer, describe } from './beside-bare-server.ts';
import { startService } from './processes.ts';
import { reportRun } from './reported-trials.ts';

const service = await startService();
try {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const pathOf = (runId: string) =>
    `/api/v1/projects/${service.projectId}/eval-runs/${runId}/decision-summary?limit=50`;
  const decided = await reportRun(service, { name: 'decided', trials: 100, cases: 20 });
  console.log(
    describe(
      'Decision summary, limit=50',
      await besideBareServer(service.url, pathOf(decided), headers),
    ),
  );
  // One case has more trials here than policy v2 decides, so both runs state a percent.
  const small = await reportRun(service, { name: 'small', trials: 100, cases: 20, legacy: true });
  const large = await reportRun(service, {
    name: 'large',
    trials: 100_000,
    cases: 20,
    legacy: true,
  });
  const figures = [];
  for (const runId of [small, large, small, large]) {
    figures.push((await besideBareServer(service.url, pathOf(runId), headers)).own);
  }
  console.log(figures);
} finally {
  await service.stop();
}
