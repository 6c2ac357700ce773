/**
 * Requests explanations of the detector findings in an ended run. Checks before limits and counts
 * apply whether there is anything to explain. The transaction that starts the explanation checks it
 * again.
 */

import { type InsightState, notFound, scopeNotReady, stepOfInsights } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { brake } from '../../../../platform/spending/brake.ts';
import {
  beginInsights,
  insightsSwitchedOff,
  type PlaceOfInsights,
  readInsightState,
  toldStatus,
} from '../../../insights/index.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { readRun } from '../../store/eval-runs.ts';
import { tracesWereRemoved } from '../../store/run-judges.ts';
import { findRun } from './find-run.ts';
import { hasEnded } from './present-run.ts';

export const requestEvalRunInsights: Action<'requestEvalRunInsights', EvalsParts> = async (
  context,
  { params, body },
) => {
  const { id: projectId, organizationId } = context.project;
  const { runId } = params;
  const of = { organizationId, projectId, kind: 'eval_run', scopeId: runId } as const;
  const event = body.force === true ? 'askedByForce' : 'asked';
  const answer = { runId, projectId, status: 'pending', insightsStatus: 'pending' } as const;
  const reused = (state: InsightState) =>
    ({ ...answer, reused: true, insightsStatus: toldStatus(state) }) as const;
  const seen = await context.tenant(async (sql) => {
    const run = await findRun(sql, projectId, runId);
    if (context.partModels.insights === 'off') refuse(insightsSwitchedOff);
    if (!hasEnded(run)) refuse(scopeNotReady('eval_run'));
    const found = await readInsightState(sql, of);
    const { begins } = stepOfInsights('eval_run', found.state, event);
    if (begins && (await tracesWereRemoved(sql, runId))) refuse(tracesRemoved);
    return found;
  });
  if (!stepOfInsights('eval_run', seen.state, event).begins) return reused(seen.state);
  await brake(context, 'insights');
  const stood = await context.tenant((sql) => begin(sql, context, of, event));
  return stood === undefined ? answer : reused(stood);
};

async function begin(
  sql: Sql,
  context: EvalsProject,
  of: PlaceOfInsights,
  event: 'asked' | 'askedByForce',
): Promise<InsightState | undefined> {
  // The lock prevents a deletion of the run meanwhile.
  const run = await readRun(sql, of.projectId, of.scopeId, 'forUpdate');
  if (run === undefined) return refuse(notFound);
  const audit = { action: 'evalRun.insightsAsked', subjectId: of.scopeId } as const;
  return beginInsights(sql, context, of, event, audit, async () => {
    // The traces may have been removed since the first check.
    if (await tracesWereRemoved(sql, of.scopeId)) refuse(tracesRemoved);
  });
}

const tracesRemoved = {
  code: 'CONFLICT',
  message:
    'The traces of this run were removed by retention, so insights cannot be created for it.',
  details: { reason: 'TRACES_REMOVED' },
} as const;
