/**
 * Starts an explanation of findings. The caller has already checked whether there is anything to
 * start. The transaction checks it again under the lock of the scope's row (such as the run).
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

/** Starts the explanation, or returns the current state if there is nothing to start. */
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
 * Returns the status for a request that started nothing, because an explanation exists or is
 * pending.
 */
export function explanationStatus(state: InsightState): 'pending' | 'completed' {
  return state === 'completed' ? state : 'pending';
}

/**
 * Returns the model that explains findings, if that model has no price. The built-in narrator is
 * free. Only the operator's providers are searched, because the model belongs to the operator.
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
