import { metricsOf, populations } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { countScenarioSessions, readScenarioSessions } from '../store/scenario-sessions.ts';
import { findScenario } from './find-scenario.ts';

export const getUserTestingMetrics: Action<'getUserTestingMetrics'> = (
  context,
  { params, query },
) =>
  context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    const { real, synthetic } = await countScenarioSessions(sql, scenario);
    if (real + synthetic === 0) return refuse(noSessions);
    const { population } = query;
    const of = population === undefined ? populations : [population];
    const { sessions, matched } = await readScenarioSessions(sql, scenario, of);
    const truncated = matched > sessions.length;
    const metrics = metricsOf(sessions, { population: population ?? 'all', truncated });
    return { ...metrics, trend: [...metrics.trend] };
  });

export const noSessions = {
  code: 'NOT_FOUND',
  message: 'This scenario has no sessions yet.',
  details: { reason: 'NO_SESSIONS' },
} as const;
