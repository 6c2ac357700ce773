/**
 * Begins to have a scope explained, in one transaction with what it counts for. Whoever asks has looked before whether a
 * request begins something; it is looked at once more here.
 */
import { type AuditAction, chooseModel, narratorId, stepOfInsights } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { addNarration, type PlaceOfInsights } from '../../storage/insights/insights-work.ts';
import { beginGeneration, holdInsights } from '../../storage/insights/scope-insights.ts';
import type { ProjectContext } from '../action.ts';
import { modelsOf } from '../models/models-of.ts';
import { recordAudit } from '../record-audit.ts';
import { charge } from '../spending/charge.ts';
import { refuseWithoutCredits } from '../spending/refuse-without-credits.ts';

export async function beginInsights(
  sql: Sql,
  context: ProjectContext,
  of: PlaceOfInsights,
  event: 'asked' | 'askedByForce',
  audit: { readonly action: AuditAction; readonly subjectId: string },
): Promise<boolean> {
  const { state, generation } = await holdInsights(sql, of);
  if (!stepOfInsights(of.kind, state, event).begins) return false;
  await charge(context, sql, 'insightsPerDay');
  const { caller, partModels, spending } = context;
  const { creditsPerDay } = spending.limits;
  await refuseWithoutCredits(sql, of.organizationId, creditsPerDay, await unpricedOf(sql, context));
  const next = { ...of, generation: generation + 1 };
  const asked = { requestedBy: caller.account.id, model: partModels.insights };
  await beginGeneration(sql, next, asked);
  await addNarration(sql, next);
  await recordAudit(sql, context, audit);
  return true;
}

/** The built-in narrator costs nothing. The model is the operator's, so no provider of the organization stands for it. */
async function unpricedOf(sql: Sql, context: ProjectContext): Promise<string[]> {
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
