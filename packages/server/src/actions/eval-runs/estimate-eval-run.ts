/** What a launch would begin, planned as the launch plans it; nothing is written. */
import { estimateRun } from '@proofmark/domain';
import { readCreditsOfToday } from '../../storage/spending/daily-counters.ts';
import { readTokensPerTrial } from '../../storage/spending/spending-of-run.ts';
import type { Action } from '../action.ts';
import { launchDependenciesOf } from './launch-dependencies-of.ts';
import { prepareSaved } from './launch-run.ts';

export const estimateEvalRun: Action<'estimateEvalRun'> = async (context, { params, query }) => {
  const { environmentId, iterationOverride, keyedProviders } = query;
  const keyed = keyedProviders?.split(',').map((name) => [name.trim(), 'sent with the launch']);
  const { creditsPerDay } = context.runLimits;
  return context.tenant(async (sql) => {
    const {
      plan,
      unpriced,
      context: launch,
    } = await prepareSaved(
      sql,
      launchDependenciesOf(context),
      {
        ...(environmentId !== undefined && { environmentId }),
        ...(iterationOverride !== undefined && { iterationOverride: Number(iterationOverride) }),
        ...(keyed !== undefined && { modelApiKeys: Object.fromEntries(keyed) }),
      },
      params.suiteId,
    );
    const { organizationId } = context.project;
    const creditsLeft =
      creditsPerDay === null
        ? null
        : Math.max(0, creditsPerDay - (await readCreditsOfToday(sql, organizationId)));
    const { models, judges, ...rest } = estimateRun({
      ...{ plan, prices: plan.prices ?? [], unpriced, creditsLeft },
      tokensPerTrial: await readTokensPerTrial(sql, params.suiteId, 'trial_step'),
      judgeTokensPerTrial: await readTokensPerTrial(sql, params.suiteId, 'judge'),
    });
    const servers = launch.servers.map(({ id, name }) => ({ id, name }));
    return { ...rest, models: [...models], judges: [...judges], servers };
  });
};
