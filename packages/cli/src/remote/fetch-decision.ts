/**
 * Reads a run and its decision summary. The verdict comes from the run itself; the summary lists
 * trials that did not pass. For a person the first page of them is enough, so two requests suffice
 * for any run. A program gets all of them, up to a limit.
 */
import { type ApiClient, readPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun } from '@proofmark/domain';
import type { SurfaceToRender, TrialCalls } from '@proofmark/report';

/** A service, or a replacement in this process. */
interface ReadingRuns {
  readonly client: Pick<ApiClient, 'getEvalRun' | 'getEvalRunSurface' | 'listEvalRunIterations'>;
  readonly projectId: string;
}

export interface FetchedDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
  /** Whether the list contains all trials that did not pass. */
  readonly isAll: boolean;
  readonly notPassed: OutputOf<'listEvalRunIterations'>['items'];
  /** For a failed run: the differences between its tools and those of the previous run. */
  readonly surface: SurfaceToRender | undefined;
  /** The calls of the listed trials, by trial id. */
  readonly calls: ReadonlyMap<string, TrialCalls>;
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
  return {
    run,
    surface,
    summary: summaryOfRun(run, { items, isAll }),
    isAll,
    notPassed: items,
    calls: new Map(items.map((trial) => [trial.id, trial])),
  };
}

/**
 * Returns the differences of the tools; undefined without a run to compare with, since they are
 * optional.
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
