import { notFound, stepsOfTrial } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { readTracedTrial, readTrial } from '../../store/stored-trials.ts';
import { findRun } from './find-run.ts';

/**
 * Returns the trial's steps as they were at launch, even if the case was edited later. A reported
 * trial has no steps.
 */
export const getEvalRunSteps: Action<'getEvalRunSteps'> = async (context, { params }) => {
  const { runId, iterationId } = params;
  return context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, runId);
    const trial = (await readTrial(sql, runId, iterationId)) ?? refuse(notFound);
    if (run.source === 'sdk') return { items: [] };
    const [plan, traced] = await Promise.all([
      findRunPlan(sql, runId),
      readTracedTrial(sql, context.project.id, runId, iterationId),
    ]);
    const planned = plan?.cases.find(({ caseId }) => caseId === trial.caseId);
    const { status, result, error } = trial;
    return {
      items: stepsOfTrial(planned?.steps, { status, result, error, trace: traced?.trace ?? null }),
    };
  });
};
