/**
 * Sends the results of a run in batches. The reporter chooses the ids of the run and its trials, so
 * an interrupted report can be sent a second time. The service skips results that it already has.
 */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import type { ApiClient } from './api-client.ts';

export type ReportedResult = BodyInputOf<'ingestEvalRunIterations'>['results'][number];
export type ReportedRunTerms = Omit<
  BodyInputOf<'startEvalIngestRun'>,
  'suiteName' | 'externalRunId' | 'expectedIterations'
>;

export interface RunReport {
  readonly projectId: string;
  readonly suiteName: string;
  /** The reporter's own id for the run. Reports with the same id belong to the same run. */
  readonly externalRunId: string;
  /** Each result has an `externalIterationId` that is unique in this run. */
  readonly results: readonly ReportedResult[];
  readonly terms?: ReportedRunTerms;
}

export interface SentReport extends OutputOf<'finalizeEvalIngestRun'> {
  /** `inserted`: trials stored by this report. `skipped`: trials that the service already had. */
  readonly inserted: number;
  readonly skipped: number;
}

/**
 * Maximum number of results in one request. It is high, because a key may usually send only sixty
 * requests per minute.
 */
const largestBatch = 1000;
/** Maximum size of a batch, below the 5 MiB that the service accepts. */
const largestBatchBytes = 4 * 1024 * 1024;

export async function sendReport(
  client: ApiClient,
  { projectId, suiteName, externalRunId, results, terms }: RunReport,
  onProgress: (sent: number, total: number) => void = () => {},
): Promise<SentReport> {
  const again = { isRepeatable: true };
  const started = await client.startEvalIngestRun(
    {
      projectId,
      body: { ...terms, suiteName, externalRunId, expectedIterations: results.length },
    },
    again,
  );
  const { runId } = started;
  if (started.status !== 'running') {
    return { ...started, inserted: 0, skipped: results.length };
  }
  let [inserted, skipped] = [0, 0];
  for (const batch of batchesOf(results)) {
    const taken = await client.ingestEvalRunIterations(
      { projectId, body: { runId, results: batch } },
      again,
    );
    inserted += taken.inserted;
    skipped += taken.skipped;
    onProgress(inserted + skipped, results.length);
  }
  const ended = await client.finalizeEvalIngestRun({ projectId, body: { runId } }, again);
  return { ...ended, inserted, skipped };
}

export function batchesOf(results: readonly ReportedResult[]): ReportedResult[][] {
  const batches: ReportedResult[][] = [];
  let bytes = 0;
  for (const result of results) {
    const size = new TextEncoder().encode(JSON.stringify(result)).length + 1;
    const last = batches.at(-1);
    bytes += size;
    if (last !== undefined && last.length < largestBatch && bytes <= largestBatchBytes) {
      last.push(result);
    } else {
      batches.push([result]);
      bytes = size;
    }
  }
  return batches;
}
