import { composeDecisionSummary, notFound } from '@proofmark/domain';
import { listIterationRecords } from '../../storage/eval-iterations.ts';
import { asRunRecord } from '../../storage/eval-runs.ts';
import { type Action, type ActionInput, type ProjectContext, refuse } from '../action.ts';
import { PreparedJson } from '../readings.ts';
import { findRun } from './find-run.ts';
import { hasEnded } from './present-run.ts';

/**
 * A page depends on the run and its trials, which are the same as long as the run's revision is, and on who reads
 * it, because its cursor is theirs.
 */
export const getEvalRunDecisionSummary: Action<'getEvalRunDecisionSummary'> = async (
  context,
  input,
) => {
  const { caller, runRevision, readings } = context;
  const { runId } = input.params;
  const { limit, after } = input.page;
  if (runRevision === undefined) return refuse(notFound);
  const nameAt = (at: number) =>
    `${runId} ${at} ${limit} ${after?.order ?? ''} ${caller.account.id} ${caller.organizationIds}`;
  const kept = readings.find(nameAt(runRevision));
  if (kept !== undefined) return kept;
  const read = await readSummary(context, input);
  const reading = new PreparedJson(read.summary);
  readings.keep(nameAt(read.revision), reading);
  return reading;
};

/**
 * The run is read before its trials, though neither waits for the other: a run that is seen to have ended
 * gets no more trials, so a page that is called complete lacks none.
 */
async function readSummary(
  context: ProjectContext,
  { params, page, cursorFor }: ActionInput<'getEvalRunDecisionSummary'>,
) {
  const [run, trials] = await context.tenant((sql) =>
    Promise.all([
      findRun(sql, context.project.id, params.runId),
      listIterationRecords(sql, params.runId, page),
    ]),
  );
  const summary = composeDecisionSummary({
    projectId: run.projectId,
    run: asRunRecord(run),
    iterations: trials.items,
    page: {
      cursorGiven: page.after !== undefined,
      nextCursor: trials.next && cursorFor(trials.next),
      // A run of our own has a row for every trial from its start; reported ones arrive until it ends.
      allTrialsRecorded: run.source !== 'sdk' || hasEnded(run),
    },
  });
  return { summary, revision: run.revision };
}
