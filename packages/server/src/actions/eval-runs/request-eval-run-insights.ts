/**
 * Asks to have explained what detectors find in a run that has ended. Whether a request begins something is looked at
 * before anything is held back or counted, and once more in the transaction that begins it.
 */
import {
  chooseModel,
  type InsightState,
  narratorId,
  notFound,
  scopeNotReady,
  stepOfInsights,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readRun } from '../../storage/eval-runs/eval-runs.ts';
import { tracesWereRemoved } from '../../storage/eval-runs/run-judges.ts';
import { addNarration, type PlaceOfInsights } from '../../storage/insights/insights-work.ts';
import {
  beginGeneration,
  holdInsights,
  readInsightState,
} from '../../storage/insights/scope-insights.ts';
import { type Action, type ProjectContext, refuse } from '../action.ts';
import { modelsOf } from '../models/models-of.ts';
import { recordAudit } from '../record-audit.ts';
import { brake } from '../spending/brake.ts';
import { charge } from '../spending/charge.ts';
import { refuseWithoutCredits } from '../spending/refuse-without-credits.ts';
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
  const answer = { runId, projectId, status: 'pending', insightsStatus: 'pending' } as const;
  const reused = (state: InsightState) => {
    const insightsStatus = state === 'completed' ? state : 'pending';
    return { ...answer, reused: true, insightsStatus } as const;
  };
  const seen = await context.tenant(async (sql) => {
    const run = await findRun(sql, projectId, runId);
    if (context.partModels.insights === 'off') refuse(switchedOff);
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

/** What stands, where nothing begins. */
async function begin(
  sql: Sql,
  context: ProjectContext,
  of: PlaceOfInsights,
  event: 'asked' | 'askedByForce',
): Promise<InsightState | undefined> {
  // Held, so that it is not deleted meanwhile.
  const run = await readRun(sql, of.projectId, of.scopeId, 'forUpdate');
  if (run === undefined) return refuse(notFound);
  const { state, generation } = await holdInsights(sql, of);
  if (!stepOfInsights(of.kind, state, event).begins) return state;
  // They may have gone since it was looked at.
  if (await tracesWereRemoved(sql, of.scopeId)) refuse(tracesRemoved);
  await charge(context, sql, 'insightsPerDay');
  const { caller, partModels, spending } = context;
  const { creditsPerDay } = spending.limits;
  await refuseWithoutCredits(sql, of.organizationId, creditsPerDay, await unpricedOf(sql, context));
  const next = { ...of, generation: generation + 1 };
  const asked = { requestedBy: caller.account.id, model: partModels.insights };
  await beginGeneration(sql, next, asked);
  await addNarration(sql, next);
  await recordAudit(sql, context, { action: 'evalRun.insightsAsked', subjectId: of.scopeId });
  return undefined;
}

/** The built-in narrator costs nothing. The model is the operator's, so no provider of the organization stands for it. */
async function unpricedOf(sql: Sql, context: ProjectContext): Promise<string[]> {
  const { insights } = context.partModels;
  if (insights === narratorId) return [];
  const { models } = await modelsOf(sql, context, null);
  const model = chooseModel({ model: insights }, models.offer, []);
  return 'hosted' in model && models.priceOf(model) !== undefined ? [] : [insights];
}

const tracesRemoved = {
  code: 'CONFLICT',
  message:
    'The traces of this run were removed by retention, so there is nothing left to explain it by.',
  details: { reason: 'TRACES_REMOVED' },
} as const;

const switchedOff = {
  code: 'FEATURE_NOT_SUPPORTED',
  message: 'The operator of this installation has switched insights off.',
  details: { reason: 'INSIGHTS_OFF' },
} as const;
