/** Reads the duration of earlier trials, to estimate the duration of planned ones. */
import { variantOf } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';
import type { VariantOfTrials } from './graded-trials.ts';

export async function readMinutesPerTrial(
  sql: Sql,
  suiteId: string,
): Promise<ReadonlyMap<string, number>> {
  const runs = await sql<{ id: string }[]>`
    select id from eval_runs
    where suite_id = ${suiteId} and source <> 'sdk' and status not in ('pending', 'running')
      and ${countsForSuiteIn(sql)}
    order by run_number desc limit 5`;
  const rows = await sql<(VariantOfTrials & { minutes: number })[]>`
    select case_id, model, provider, avg(duration_ms) / 60000 as minutes
    from eval_iterations
    where run_id = any (${runs.map(({ id }) => id)}) and status = 'completed' and duration_ms is not null
    group by case_id, model, provider`;
  return new Map(
    rows.map(({ minutes, caseId, ...variant }) => [
      variantOf({ caseId: caseId ?? '', ...variant }),
      minutes,
    ]),
  );
}
