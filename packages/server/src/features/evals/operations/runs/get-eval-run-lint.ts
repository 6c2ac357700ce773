import type { Action } from '../../../../platform/operations/action.ts';
import { listFailingTrials } from '../../store/failing-trials.ts';
import { findRun } from './find-run.ts';
import { presentLint } from './present-lint.ts';
import { readRunPlan } from './read-run-plan.ts';

export const getEvalRunLint: Action<'getEvalRunLint'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId);
    const { servers } = await readRunPlan(sql, context.project.id, run);
    const failing = servers.length === 0 ? [] : await listFailingTrials(sql, run.id);
    return presentLint(run.id, servers, { failing });
  });
