/**
 * Simulates clients that report runs: two clients for each run send its trials in batches, and
 * repeat a batch until it is acknowledged. Acknowledgements are recorded at once, and compared with
 * the stored trials later.
 */

import { until } from '@proofmark/harness/journeys/until.ts';
import { call, type TestAnswer } from '@proofmark/harness/test-service.ts';
import type { SeededChance } from './seeded-chance.ts';

export interface ReportedRun {
  readonly runId: string;
  readonly externalRunId: string;
  readonly acknowledged: ReadonlySet<number>;
}

export interface IngestionLoad {
  readonly runs: readonly ReportedRun[];
  readonly refused: readonly TestAnswer[];
  readonly retries: number;
  readonly acknowledgedTrials: number;
  /** Resolves after this many further acknowledgements. */
  untilAcknowledged(more: number): Promise<void>;
  finished(): Promise<void>;
  stop(): Promise<void>;
}

export interface IngestionLoadOptions {
  url(): string;
  readonly key: string;
  readonly projectId: string;
  readonly runs: number;
  readonly trialsPerRun: number;
  readonly chance: SeededChance;
}

const casesPerRun = 500;
const largestBatch = 20;
const reportersPerRun = 2;
const retryAfterMs = 100;

export async function startIngestionLoad(options: IngestionLoadOptions): Promise<IngestionLoad> {
  const send = (path: string, body: unknown) => reportTo(options, path, body);
  const runs = await Promise.all(
    Array.from({ length: options.runs }, async (_, number) => {
      const externalRunId = `kills-${number}`;
      const start = await send('runs/start', {
        suiteName: 'Kills',
        externalRunId,
        expectedIterations: options.trialsPerRun,
      });
      return { runId: start.body.runId as string, externalRunId, acknowledged: new Set<number>() };
    }),
  );
  const refused: TestAnswer[] = [];
  let acknowledgedTrials = 0;
  let retries = 0;
  let going = true;
  const reporters = runs.flatMap((run) => {
    // Both clients of a run take batches from one list, so that each may find cases that the other
    // client has created.
    let next = 1;
    const takeBatch = () => {
      const first = next;
      next = Math.min(next + 1 + options.chance.integer(largestBatch), options.trialsPerRun + 1);
      return Array.from({ length: next - first }, (_, index) => first + index);
    };
    return Array.from({ length: reportersPerRun }, async () => {
      for (let batch = takeBatch(); going && batch.length > 0; ) {
        const results = batch.map((number) => trialOf(run.externalRunId, number));
        const answer = await send('runs/iterations', { runId: run.runId, results }).catch(
          () => undefined,
        );
        if (answer?.status === 200 && answer.body.total === batch.length) {
          for (const number of batch) run.acknowledged.add(number);
          acknowledgedTrials += batch.length;
          batch = takeBatch();
        } else {
          if (answer !== undefined && answer.status < 500) refused.push(answer);
          retries += 1;
          await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
        }
      }
    });
  });
  return {
    runs,
    refused,
    get retries() {
      return retries;
    },
    get acknowledgedTrials() {
      return acknowledgedTrials;
    },
    async untilAcknowledged(more) {
      const target = acknowledgedTrials + more;
      await until(() => acknowledgedTrials >= target, 'enough trials are acknowledged', 60_000);
    },
    finished: async () => void (await Promise.all(reporters)),
    async stop() {
      going = false;
      await Promise.all(reporters);
    },
  };
}

export function reportTo(
  { url, key, projectId }: Pick<IngestionLoadOptions, 'url' | 'key' | 'projectId'>,
  path: string,
  body: unknown,
): Promise<TestAnswer> {
  const address = `${url()}/api/v1/projects/${projectId}/eval-ingest/${path}`;
  return call(address, { method: 'POST', key, body });
}

export function isPassing(number: number): boolean {
  return number % 13 !== 0;
}

function trialOf(externalRunId: string, number: number) {
  return {
    caseTitle: `case ${number % casesPerRun}`,
    passed: isPassing(number),
    externalIterationId: `${externalRunId}-${number}`,
    durationMs: number,
    trace: [{ role: 'user', content: `Trial ${number}.` }],
  };
}
