import { lintSurface } from '@proofmark/domain';
import { listFailingTrials } from '../../storage/eval-runs/failing-trials.ts';
import type { Action } from '../action.ts';
import { findRun } from './find-run.ts';
import { presentLint } from './present-lint.ts';
import { readGiven } from './read-given.ts';

export const getEvalRunLint: Action<'getEvalRunLint'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId);
    const { servers } = await readGiven(sql, context.project.id, run);
    const failing = servers.length === 0 ? [] : await listFailingTrials(sql, run.id);
    return presentLint(run.id, lintSurface(servers, failing));
  });
