/**
 * Reads a run and the summary of its decision. The run itself contains the verdict; the summary
 * lists trials that did not pass. For a person their first page is enough, so two requests suffice
 * for any run, and a third for the quarantine of its suite. A program gets all such trials, up to a limit.
 */
import { type ApiClient, readPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun } from '@proofmark/domain';
import type { SurfaceToRender, TrialCalls } from '@proofmark/report';
import { type QuarantineOfRun, readQuarantineOfRun } from './read-quarantine-of-run.ts';

/**
 * The part of a service that is needed here; a test without a service implements it in this
 * process.
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
  /** Whether `notPassed` lists every trial that did not pass. */
  readonly isAll: boolean;
  readonly notPassed: OutputOf<'listEvalRunIterations'>['items'];
  /** For a failed run: how its tools differ from those of the previous run. */
  readonly surface: SurfaceToRender | undefined;
  /** The calls of the trials in `notPassed`, by trial id. */
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
 * Returns how the run's tools changed. The change is optional information: without a previous run,
 * or after an error, it is undefined.
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
