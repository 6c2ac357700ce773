import type { OutputOf } from '@proofmark/contract';
import { mostCountedSessions, usageOf } from '@proofmark/domain';
import { readScenarioSessions } from '../../storage/user-testing/scenario-sessions.ts';
import { type Action, refuse } from '../action.ts';
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
