/**
 * Starts a mutation of a suite, planned like a run on one model. One transaction then counts open
 * work and writes the mutation with its plan and its leased work, taking locks in the same order as
 * a launch. It writes no run and no trial.
 */

import {
  cheapestCallOf,
  defaultMutants,
  estimateRun,
  lexicalModelId,
  mostTrialsOfMutant,
  notFound,
  operatorsToTry,
  type RunPlan,
  recordedModel,
  runOfMutation,
  trialsOfBase,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, type ActionInput, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { enterQuota } from '../../../platform/spending/enter-quota.ts';
import { refuseWithoutCredits } from '../../../platform/spending/refuse-without-credits.ts';
import {
  contextOfReplayed,
  countHeldSlots,
  type EvalsParts,
  launchDependenciesOf,
  lockLaunches,
  type PreparedLaunch,
  prepareSaved,
  readTokensPerTrial,
  refuseTooManyRuns,
  resolveReplay,
} from '../../evals/index.ts';
import { pinServers } from '../../servers/index.ts';
import { findOpenMutation, insertMutation, type MutationEstimate } from '../store/mutations.ts';

export const createEvalSuiteMutation: Action<'createEvalSuiteMutation', EvalsParts> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { organizationId, id: projectId } = context.project;
    const { seed = 1, maxMutants = defaultMutants } = body;
    const { terms, wish } = await termsOf(sql, projectId, params.suiteId, body);
    const launch = launchDependenciesOf(context);
    // A recorded model needs no override: the recorded trial determines the model.
    const model = terms.model === recordedModel ? undefined : terms.model;
    const prepared = await prepareSaved(sql, launch, wish, params.suiteId, model);
    await lockLaunches(sql, organizationId);
    await refuseSecond(sql, params.suiteId);
    const { runLimits } = context;
    const open = await countHeldSlots(sql, organizationId, undefined);
    if (open >= runLimits.concurrentRuns) refuseTooManyRuns(runLimits, open);
    const { unpriced } = prepared;
    const { creditsPerDay } = runLimits;
    const plan = planOfMutation(prepared.plan, terms.servers, body.allowWrites);
    const cheapest = cheapestCallOf(plan);
    await refuseWithoutCredits(sql, organizationId, creditsPerDay, unpriced, cheapest);
    const parts = { plan, unpriced, servers: body.servers ?? 'live' };
    const estimate = await estimateMutation(sql, params.suiteId, parts, maxMutants);
    const holder = { organizationId, hasQuotas: true };
    const quota = await enterQuota(
      ...([sql, holder, runLimits.quotas, 'trialsPerDay', estimate.trials] as const),
    );
    const { vault } = context.database;
    const ids = plan.servers.map(({ id }) => id);
    const pinned = await pinServers(sql, vault, projectId, ids, (id) => context.stdioAddressOf(id));
    if (pinned === undefined) return refuse(notFound);
    const mutation = {
      id: context.newId('mutation'),
      organizationId,
      projectId,
      suiteId: prepared.suiteId,
      request: { seed, maxMutants, ...terms },
      estimate,
      plan,
      requestedBy: context.caller.account.id,
    };
    await insertMutation(sql, vault, mutation, { servers: pinned, providers: prepared.providers });
    await recordAudit(sql, context, { action: 'evalSuite.mutated', subjectId: prepared.suiteId });
    await quota.count();
    return { mutationId: mutation.id, estimate };
  });

type Body = ActionInput<'createEvalSuiteMutation'>['body'];

/** Reads the terms of the request, with the recordings to play if there are any. */
async function termsOf(sql: Sql, projectId: string, suiteId: string, body: Body) {
  const { model = lexicalModelId, servers = 'live' } = body;
  const tried = operatorsToTry(model, body.operators);
  if ('refusal' in tried) return refuse(tried.refusal);
  const named = runOfMutation({ model, servers, runId: body.runId });
  if ('refusal' in named) return refuse(named.refusal);
  const terms = { model, servers, operators: [...tried.operators] };
  if (named.runId === undefined) return { terms, wish: {} };
  const replay = {
    runId: named.runId,
    servers,
    onDivergence: 'stop' as const,
    model: model === recordedModel ? ('recorded' as const) : ('live' as const),
  };
  const resolved = await resolveReplay(sql, projectId, suiteId, replay, 'body.runId');
  const context = await contextOfReplayed(sql, projectId, { suiteId, replay });
  return { terms: { ...terms, runId: resolved.terms.runId }, wish: { replay, ...context } };
}

async function refuseSecond(sql: Sql, suiteId: string): Promise<void> {
  const mutationId = await findOpenMutation(sql, suiteId);
  if (mutationId === undefined) return;
  const message = 'A mutation of this suite is in progress; wait for it or cancel it first.';
  refuse({ code: 'CONFLICT', message, details: { reason: 'MUTATION_IN_PROGRESS', mutationId } });
}

/**
 * Changes a run's plan into that of a mutation. Every variant is played the stated number of times.
 * Sessions are not shared, so that mutants do not affect each other. Tools held for writing are
 * called only if the author allowed them explicitly: a model that is misled on purpose calls live
 * servers many times.
 */
function planOfMutation(
  plan: RunPlan,
  servers: 'live' | 'recorded',
  stated: readonly string[] | undefined,
): RunPlan {
  const { sessions: _, judge: __, replay: ___, ...rest } = plan;
  const allowWrites = stated ?? plan.allowWrites ?? (servers === 'live' ? [] : undefined);
  return {
    ...rest,
    ...(allowWrites && { allowWrites }),
    cases: plan.cases.map((one) => ({
      ...one,
      variants: one.variants.map((variant) => ({ ...variant, repetitions: trialsOfBase })),
    })),
  };
}

/** Estimates the maximum cost: assumes that every mutant affects every case variant. */
async function estimateMutation(
  sql: Sql,
  suiteId: string,
  {
    plan,
    unpriced,
    servers,
  }: Pick<PreparedLaunch, 'plan' | 'unpriced'> & { servers: 'live' | 'recorded' },
  mutants: number,
): Promise<MutationEstimate> {
  const variants = plan.cases.flatMap((one) => one.variants);
  const each = variants.map(({ model }) =>
    mostTrialsOfMutant(model === undefined || model === lexicalModelId, servers),
  );
  const ofMutants = each.reduce((sum, one) => sum + one, 0) * mutants;
  const { trials, credits } = estimateRun({
    plan,
    prices: plan.prices ?? [],
    unpriced,
    creditsLeft: null,
    tokensPerTrial: await readTokensPerTrial(sql, suiteId, 'trial_step'),
    judgeTokensPerTrial: await readTokensPerTrial(sql, suiteId, 'judge'),
  });
  const all = trials + ofMutants;
  const worstCaseCredits = credits === null ? null : (credits / Math.max(1, trials)) * all;
  return { mutants, trials: all, worstCaseCredits };
}
