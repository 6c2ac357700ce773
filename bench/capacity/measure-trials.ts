/**
 * Measures the cost of a trial, minus the cost of an idle worker process. One measurement writes
 * several results per transaction, the other one result per transaction.
 */
import type { Costs, TrialCost } from './costs.ts';
import { countStatements } from './count-statements.ts';
import { between } from './reading.ts';
import type { Stage } from './stage.ts';

const warmUp = 1500;
const many = 1000;
const few = 300;
const counted = 200;
/** Milliseconds that the slow model waits before each answer. */
export const slowMs = 250;

export async function measureTrials(
  stage: Stage,
  process: Pick<Costs['process'], 'holding'>,
): Promise<Costs['trial']> {
  await stage.startWorkers(1);
  await stage.runTrials('bench', warmUp);
  const together = await measure(stage, 'bench', many, process);
  const alone = await measure(stage, `bench-${slowMs}`, few, process);
  await stage.stopWorkers();
  return { together, alone };
}

async function measure(
  stage: Stage,
  model: string,
  trials: number,
  { holding }: Pick<Costs['process'], 'holding'>,
): Promise<TrialCost> {
  await stage.owner.sql.unsafe('checkpoint');
  const used = await between(stage, () => stage.runTrials(model, trials));
  const startedMs = performance.now();
  const asked = await countStatements(stage, () => stage.runTrials(model, counted));
  const seconds = (performance.now() - startedMs) / 1000;
  const each = (total: number, ofProcess = 0) => (total - ofProcess * used.seconds) / trials;
  return {
    workerCpu: each(used.workers, holding.workerCpu),
    postgresCpu: each(used.postgres, holding.postgresCpu),
    serviceCpu: each(used.service),
    modelCpu: each(used.model),
    serverCpu: each(used.server),
    statements: (asked.statements - holding.statements * seconds) / counted,
    transactions: (asked.transactions - holding.transactions * seconds) / counted,
    storedBytes: each(used.storedBytes),
    walBytes: each(used.walBytes),
  };
}
