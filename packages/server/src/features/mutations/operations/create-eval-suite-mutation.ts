/**
 * Starts a mutation (a test of the suite against changed servers). One transaction counts the open
 * work and writes the mutation with its plan and its leased work. It takes locks in the same order
 * as a launch.
 */

import {
  cheapestCallOf,
  defaultMutants,
  lexicalModelId,
  notFound,
  operatorsToTry,
  recordedModel,
  runOfMutation,
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
  prepareSaved,
  readTokensPerTrial,
  refuseTooManyRuns,
  resolveReplay,
} from '../../evals/index.ts';
import { pinServers } from '../../servers/index.ts';
import { findOpenMutation, insertMutation, type MutationEstimate } from '../store/mutations.ts';
import { estimateOfMutation, type PlannedMutation, planOfMutation } from '../work/plan-mutation.ts';

export const createEvalSuiteMutation: Action<'createEvalSuiteMutation', EvalsParts> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { organizationId, id: projectId } = context.project;
    const { seed = 1, maxMutants = defaultMutants } = body;
    const { terms, request } = await termsOf(sql, projectId, params.suiteId, body);
    const launch = launchDependenciesOf(context);
    // A recorded model needs no override: the recorded trial determines the model.
    const model = terms.model === recordedModel ? undefined : terms.model;
    const prepared = await prepareSaved(sql, launch, request, params.suiteId, model);
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

async function termsOf(sql: Sql, projectId: string, suiteId: string, body: Body) {
  const { model = lexicalModelId, servers = 'live' } = body;
  const tried = operatorsToTry(model, body.operators);
  if ('refusal' in tried) return refuse(tried.refusal);
  const named = runOfMutation({ model, servers, runId: body.runId });
  if ('refusal' in named) return refuse(named.refusal);
  const terms = { model, servers, operators: [...tried.operators] };
  if (named.runId === undefined) return { terms, request: {} };
  const replay = {
    runId: named.runId,
    servers,
    onDivergence: 'stop' as const,
    model: model === recordedModel ? ('recorded' as const) : ('live' as const),
  };
  const resolved = await resolveReplay(sql, projectId, suiteId, replay, 'body.runId');
  const context = await contextOfReplayed(sql, projectId, { suiteId, replay });
  return { terms: { ...terms, runId: resolved.terms.runId }, request: { replay, ...context } };
}

async function refuseSecond(sql: Sql, suiteId: string): Promise<void> {
  const mutationId = await findOpenMutation(sql, suiteId);
  if (mutationId === undefined) return;
  const message = 'A mutation of this suite is in progress; wait for it or cancel it first.';
  refuse({ code: 'CONFLICT', message, details: { reason: 'MUTATION_IN_PROGRESS', mutationId } });
}

async function estimateMutation(
  sql: Sql,
  suiteId: string,
  parts: PlannedMutation,
  mutants: number,
): Promise<MutationEstimate> {
  return estimateOfMutation(parts, mutants, {
    tokensPerTrial: await readTokensPerTrial(sql, suiteId, 'trial_step'),
    judgeTokensPerTrial: await readTokensPerTrial(sql, suiteId, 'judge'),
  });
}
