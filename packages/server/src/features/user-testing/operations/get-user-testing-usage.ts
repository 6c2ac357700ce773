import type { OutputOf } from '@proofmark/contract';
import { mostCountedSessions, usageOf } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { readScenarioSessions } from '../store/scenario-sessions.ts';
import { findScenario } from './find-scenario.ts';
import { noSessions } from './get-user-testing-metrics.ts';

export const getUserTestingUsage: Action<'getUserTestingUsage'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    const { sessions, matched } = await readScenarioSessions(sql, scenario, undefined, true);
    if (matched === 0) return refuse(noSessions);
    const newest = sessions.slice(0, mostCountedSessions);
    return usageOf(newest, matched) as OutputOf<'getUserTestingUsage'>;
  });
