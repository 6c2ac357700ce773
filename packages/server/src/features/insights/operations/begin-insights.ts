/**
 * Starts an explanation of a scope, in one transaction with its counters. The caller has checked
 * before whether the request starts anything; it is checked here again.
 */

import {
  type AuditAction,
  chooseModel,
  type InsightState,
  narratorId,
  stepOfInsights,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { charge } from '../../../platform/spending/count-daily-use.ts';
import { refuseWithoutCredits } from '../../../platform/spending/refuse-without-credits.ts';
import { type ModelsProject, modelsOf } from '../../models/index.ts';
import { addNarration, type PlaceOfInsights } from '../store/insights-work.ts';
import { beginGeneration, holdInsights } from '../store/scope-insights.ts';

/** Returns the current state if nothing starts. */
export async function beginInsights(
  sql: Sql,
  context: ModelsProject,
  of: PlaceOfInsights,
  event: 'asked' | 'askedByForce',
  audit: { readonly action: AuditAction; readonly subjectId: string },
  refuseUnready: () => Promise<void> = async () => undefined,
): Promise<InsightState | undefined> {
  const { state, generation } = await holdInsights(sql, of);
  if (!stepOfInsights(of.kind, state, event).begins) return state;
  await refuseUnready();
  await charge(context, sql, 'insightsPerDay');
  const { caller, partModels, spending } = context;
  const { creditsPerDay } = spending.limits;
  await refuseWithoutCredits(sql, of.organizationId, creditsPerDay, await unpricedOf(sql, context));
  const next = { ...of, generation: generation + 1 };
  const asked = { requestedBy: caller.account.id, model: partModels.insights };
  await beginGeneration(sql, next, asked);
  await addNarration(sql, next);
  await recordAudit(sql, context, audit);
  return undefined;
}

/**
 * Returns the status for a request that started nothing: the current one is completed or pending.
 */
export function toldStatus(state: InsightState): 'pending' | 'completed' {
  return state === 'completed' ? state : 'pending';
}

/**
 * The built-in narrator is free. The model belongs to the operator, so a provider of the
 * organization does not replace it.
 */
async function unpricedOf(sql: Sql, context: ModelsProject): Promise<string[]> {
  const { insights } = context.partModels;
  if (insights === narratorId) return [];
  const { models } = await modelsOf(sql, context, null);
  const model = chooseModel({ model: insights }, models.offer, []);
  return 'hosted' in model && models.priceOf(model) !== undefined ? [] : [insights];
}

export const insightsSwitchedOff = {
  code: 'FEATURE_NOT_SUPPORTED',
  message: 'The operator of this installation has switched insights off.',
  details: { reason: 'INSIGHTS_OFF' },
} as const;
