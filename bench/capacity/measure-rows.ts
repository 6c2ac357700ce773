/**
 * Measures the cost of a result reported over HTTP. Results are sent in batches of 200 with a short
 * trace each.
 */
import { reportRun } from '../reported-trials.ts';
import type { Costs } from './costs.ts';
import { countStatements } from './count-statements.ts';
import { between } from './reading.ts';
import type { Stage } from './stage.ts';

const warmUp = 10_000;
const rows = 20_000;
const counted = 2000;

export async function measureRows(stage: Stage): Promise<Costs['row']> {
  const report = (name: string, trials: number) =>
    reportRun(stage.api, { name, trials, cases: 100 });
  await report('warm up', warmUp);
  await stage.owner.sql.unsafe('checkpoint');
  const used = await between(stage, () => report('measured', rows));
  const { statements } = await countStatements(
    stage,
    () => report('counted', counted),
    'proofmark',
  );
  return {
    serviceCpu: used.service / rows,
    postgresCpu: used.postgres / rows,
    statements: statements / counted,
    storedBytes: used.storedBytes / rows,
    walBytes: used.walBytes / rows,
  };
}
