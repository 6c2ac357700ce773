/**
 * Sends the results of a run in batches. The run and every trial have ids of the reporter's, so that whoever is stopped
 * halfway sends the same again: what is there already is passed over, and nothing is lost or counted twice.
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
  /** Names the run; sent again under the same name, it is the same run. */
  readonly externalRunId: string;
  /** Each with an `externalIterationId` that is its own in this run. */
  readonly results: readonly ReportedResult[];
  /** What else is said of the run. */
  readonly terms?: ReportedRunTerms;
}

export interface SentReport extends OutputOf<'finalizeEvalIngestRun'> {
  /** Trials that were recorded now, and those that were there already. */
  readonly inserted: number;
  readonly skipped: number;
}

/** Three requests for a thousand results: the usual limit is sixty a minute for everybody with the same key. */
const largestBatch = 1000;
/** The service takes 5 MiB. */
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
