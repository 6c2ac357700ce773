import { unique } from '@proofmark/harness/reporter.ts';
import { factsOfTrial } from './compare.ts';
import { readRun } from './play-run.ts';
import type { SituationFixture } from './situation.ts';

export async function report(fixture: SituationFixture, body: object) {
  const answer = await fixture.ask('POST', 'eval-ingest/report', {
    suiteName: unique('Reported'),
    ...body,
  });
  const { runId, reused } = answer.body ?? {};
  const seen = typeof runId === 'string' ? await readRun(fixture, runId) : undefined;
  return {
    status: answer.status,
    code: answer.body?.code,
    reason: answer.body?.details?.reason,
    reused,
    verdict: seen?.summary.verdict,
    trials: seen?.trials.map(factsOfTrial).sort(),
    runId,
    seen,
  };
}
