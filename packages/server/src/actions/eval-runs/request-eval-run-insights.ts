/**
 * Asks to have explained what detectors find in a run that has ended. Whether a request begins something is looked at
 * before anything is held back or counted, and once more in the transaction that begins it.
 */
import { notFound, scopeNotReady, stepOfInsights } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readRun } from '../../storage/eval-runs/eval-runs.ts';
import { tracesWereRemoved } from '../../storage/eval-runs/run-judges.ts';
import type { PlaceOfInsights } from '../../storage/insights/insights-work.ts';
import { readInsightState } from '../../storage/insights/scope-insights.ts';
import { type Action, type ProjectContext, refuse } from '../action.ts';
import { beginInsights, insightsSwitchedOff } from '../insights/begin-insights.ts';
import { brake } from '../spending/brake.ts';
import { findRun } from './find-run.ts';
import { hasEnded } from './present-run.ts';

export const requestEvalRunInsights: Action<'requestEvalRunInsights'> = async (
  context,
  { params, body },
) => {
  const { id: projectId, organizationId } = context.project;
  const { runId } = params;
  const of = { organizationId, projectId, kind: 'eval_run', scopeId: runId } as const;
  const event = body.force === true ? 'askedByForce' : 'asked';
  const answer = { runId, projectId, status: 'pending' } as const;
  const reused = { ...answer, reused: true } as const;
  const seen = await context.tenant(async (sql) => {
    const run = await findRun(sql, projectId, runId);
    if (context.partModels.insights === 'off') refuse(insightsSwitchedOff);
    if (!hasEnded(run)) refuse(scopeNotReady('eval_run'));
    const found = await readInsightState(sql, of);
    const { begins } = stepOfInsights('eval_run', found.state, event);
    if (begins && (await tracesWereRemoved(sql, runId))) refuse(tracesRemoved);
    return found;
  });
  if (!stepOfInsights('eval_run', seen.state, event).begins) return reused;
  await brake(context, 'insights');
  const isBegun = await context.tenant((sql) => begin(sql, context, of, event));
  return isBegun ? answer : reused;
};

async function begin(
  sql: Sql,
  context: ProjectContext,
  of: PlaceOfInsights,
  event: 'asked' | 'askedByForce',
): Promise<boolean> {
  // Held, so that it is not deleted meanwhile.
  const run = await readRun(sql, of.projectId, of.scopeId, 'forUpdate');
  if (run === undefined) return refuse(notFound);
  const audit = { action: 'evalRun.insightsAsked', subjectId: of.scopeId } as const;
  return beginInsights(sql, context, of, event, audit);
}

const tracesRemoved = {
  code: 'CONFLICT',
  message:
    'The traces of this run were removed by retention, so there is nothing left to explain it by.',
  details: { reason: 'TRACES_REMOVED' },
} as const;
