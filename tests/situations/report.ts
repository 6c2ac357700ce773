/** Reports results as tools outside do, and reads what came of them. */
import { unique } from '@proofmark/harness/reporter.ts';
import { factsOfTrial } from './compare.ts';
import { readRun } from './play-run.ts';
import type { SituationPlace } from './situation-place.ts';

export async function report(place: SituationPlace, body: object) {
  const answer = await place.ask('POST', 'eval-ingest/report', {
    suiteName: unique('Reported'),
    ...body,
  });
  const { runId, reused } = answer.body ?? {};
  const seen = typeof runId === 'string' ? await readRun(place, runId) : undefined;
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
