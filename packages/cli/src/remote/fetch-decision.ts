/**
 * Reads a run and its decision summary. The verdict comes from the run itself; the summary lists trials that did not
 * pass. For a person the first page of them is enough, so two requests do, whatever the size of the run. A program gets
 * all of them, up to a bound.
 */
import { type ApiClient, readPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun } from '@proofmark/domain';
import type { SurfaceToRender, TrialCalls } from '@proofmark/report';

/** A service, or what answers for one. */
interface ReadingRuns {
  readonly client: Pick<ApiClient, 'getEvalRun' | 'getEvalRunSurface' | 'listEvalRunIterations'>;
  readonly projectId: string;
}

export interface FetchedDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
  /** Whether these are all trials that did not pass. */
  readonly isAll: boolean;
  readonly notPassed: OutputOf<'listEvalRunIterations'>['items'];
  /** Of a run that failed: how its tools differ from those of the run before. */
  readonly surface: SurfaceToRender | undefined;
  /** Of the trials that are listed, by their ids. */
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

/** What changed of the tools is a courtesy: without a run to compare with there is nothing to tell. */
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
