/**
 * Reads a run and the summary of its decision, which lists the trials that did not pass. Text
 * output needs only the first page of them. Output for programs contains all, up to a limit.
 */
import { type ApiClient, readPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun } from '@proofmark/domain';
import type { SurfaceToRender, TrialCalls } from '@proofmark/report';
import { type QuarantineOfRun, readQuarantineOfRun } from './read-quarantine-of-run.ts';

/**
 * The part of the API client that these functions use. A test without a service implements it in
 * memory.
 */
interface ReadingRuns {
  readonly client: Pick<
    ApiClient,
    'getEvalRun' | 'getEvalRunSurface' | 'listEvalQuarantine' | 'listEvalRunIterations'
  >;
  readonly projectId: string;
}

export interface FetchedDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
  /** Whether `notPassed` contains every trial that did not pass. */
  readonly isAll: boolean;
  readonly notPassed: OutputOf<'listEvalRunIterations'>['items'];
  /** For a failed run: the differences between its tools and those of the previous run. */
  readonly surface: SurfaceToRender | undefined;
  readonly calls: ReadonlyMap<string, TrialCalls>;
  readonly quarantine: QuarantineOfRun;
}

const trialsOfPage = 200;
const mostPages = 50;

export async function fetchDecision(
  connection: ReadingRuns,
  runId: string,
  wanted: 'first' | 'all' = 'first',
): Promise<FetchedDecision> {
  const { client, projectId } = connection;
  const [run, { items, isAll }] = await Promise.all([
    client.getEvalRun({ projectId, runId }),
    readTrials(connection, runId, 'notPassed', wanted === 'all' ? mostPages : 1),
  ]);
  const surface = run.verdict === 'failed' ? await readSurface(connection, runId) : undefined;
  const summary = summaryOfRun(run, { items, isAll });
  return {
    run,
    surface,
    summary,
    quarantine: await readQuarantineOfRun(connection, run, summary),
    isAll,
    notPassed: items,
    calls: new Map(items.map((trial) => [trial.id, trial])),
  };
}

/**
 * Returns undefined without a previous run or after an error, because a report can do without the
 * tool
 * changes.
 */
function readSurface(
  { client, projectId }: ReadingRuns,
  runId: string,
): Promise<SurfaceToRender | undefined> {
  return client.getEvalRunSurface({ projectId, runId }).catch(() => undefined);
}

export function readTrials(
  {
    client,
    projectId,
  }: Pick<ReadingRuns, 'projectId'> & { readonly client: Pick<ApiClient, 'listEvalRunIterations'> },
  runId: string,
  result: 'passed' | 'notPassed',
  pages = mostPages,
) {
  const query = { projectId, runId, limit: trialsOfPage, result };
  return readPages((page) => client.listEvalRunIterations({ ...query, ...page }), pages);
}
