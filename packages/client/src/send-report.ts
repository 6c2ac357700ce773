/**
 * Sends the results of a run in batches. The run and every trial have ids of the reporter, so that
 * a stopped report can be sent again: existing results are skipped, and nothing is lost or counted
 * twice.
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
  /** The reporter's id of the run. A report under the same id is the same run. */
  readonly externalRunId: string;
  /** The results, each with an `externalIterationId` that is unique in this run. */
  readonly results: readonly ReportedResult[];
  /** Further facts of the run. */
  readonly terms?: ReportedRunTerms;
}

export interface SentReport extends OutputOf<'finalizeEvalIngestRun'> {
  /** The number of trials stored now, and of trials that existed already. */
  readonly inserted: number;
  readonly skipped: number;
}

/**
 * A thousand results take three requests; the usual limit is sixty per minute for all users of a
 * key.
 */
const largestBatch = 1000;
/** The service accepts 5 MiB. */
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
