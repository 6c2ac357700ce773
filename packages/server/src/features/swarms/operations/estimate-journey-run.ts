/** Estimates the cost of launching a journey. Nothing is written or counted. */

import { estimateJourneyRun as estimate } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { readCreditsOfToday, readDay } from '../../../platform/spending/store/daily-counters.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { findJourney } from './find-journey.ts';
import { prepareJourneyRun } from './prepare-journey-run.ts';

export const estimateJourneyRun: Action<'estimateJourneyRun', EvalsParts> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { organizationId, id: projectId } = context.project;
    const journey = await findJourney(sql, projectId, params.journeyId);
    const { snapshot, unpriced } = await prepareJourneyRun(
      ...([sql, context, journey, body.environmentIds] as const),
    );
    const allowed = context.spending.limits.journeyRunsPerDay;
    const { used: usedToday } = await readDay(sql, organizationId);
    const used = usedToday.get('journeyRunsPerDay') ?? 0;
    const { creditsPerDay } = context.runLimits;
    return {
      ...estimate(snapshot, unpriced),
      launchesLeftToday: allowed === null ? null : Math.max(0, allowed - used),
      creditsLeft:
        creditsPerDay === null
          ? null
          : Math.max(0, creditsPerDay - (await readCreditsOfToday(sql, organizationId))),
    };
  });
