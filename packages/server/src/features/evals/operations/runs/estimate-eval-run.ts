import type { BodyOf, QueryOf } from '@proofmark/contract';
import { estimateRun, invalid } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { readCreditsOfToday } from '../../../../platform/spending/store/daily-counters.ts';
import type { EvalsParts } from '../../evals-context.ts';
import { readTokensPerTrial } from '../../store/spending-of-run.ts';
import { contextOfReplayed } from './context-of-replayed.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { prepareSaved } from './prepare-launch.ts';

type Query = QueryOf<'estimateEvalRun'>;

export const estimateEvalRun: Action<'estimateEvalRun', EvalsParts> = async (
  context,
  { params, query },
) => {
  const { creditsPerDay } = context.runLimits;
  const { suiteId } = params;
  const launchRequest = launchRequestOf(query);
  return context.tenant(async (sql) => {
    const played = await contextOfReplayed(sql, context.project.id, { ...launchRequest, suiteId });
    const {
      plan,
      unpriced,
      context: launch,
    } = await prepareSaved(
      sql,
      launchDependenciesOf(context),
      { ...launchRequest, ...played },
      suiteId,
    );
    const { organizationId } = context.project;
    const creditsLeft =
      creditsPerDay === null
        ? null
        : Math.max(0, creditsPerDay - (await readCreditsOfToday(sql, organizationId)));
    const { models, judges, ...rest } = estimateRun({
      plan,
      prices: plan.prices ?? [],
      unpriced,
      creditsLeft,
      tokensPerTrial: await readTokensPerTrial(sql, suiteId, 'trial_step'),
      judgeTokensPerTrial: await readTokensPerTrial(sql, suiteId, 'judge'),
    });
    const { replay } = plan;
    const asksServers = replay?.servers !== 'recorded' || replay.onDivergence === 'live';
    const servers = launch.servers.map(({ id, name }) => ({ id, name }));
    return {
      ...rest,
      models: [...models],
      judges: [...judges],
      servers: asksServers ? servers : [],
    };
  });
};

function launchRequestOf(query: Query): Partial<BodyOf<'createEvalRun'>> {
  const { environmentId, iterationOverride, keyedProviders, model } = query;
  const keyed = keyedProviders?.split(',').map((name) => [name.trim(), 'sent with the launch']);
  const replay = replayOf(query);
  return {
    ...(environmentId !== undefined && { environmentId }),
    ...(iterationOverride !== undefined && { iterationOverride: Number(iterationOverride) }),
    ...(keyed !== undefined && { modelApiKeys: Object.fromEntries(keyed) }),
    ...(model !== undefined && { model }),
    ...(replay && { replay }),
  };
}

function replayOf(query: Query): BodyOf<'createEvalRun'>['replay'] {
  const { replayRunId: runId, replayModel: model = 'recorded' } = query;
  const { replayServers: servers = 'recorded', onDivergence = 'stop' } = query;
  if (runId === undefined) return undefined;
  if (model === 'live' && servers === 'live') {
    refuse(
      invalid(
        'query.replayServers',
        'A replay needs recorded answers for its model, its servers or both.',
      ),
    );
  }
  return { runId, model, servers, onDivergence };
}
