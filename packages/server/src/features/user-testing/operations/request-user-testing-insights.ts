import { type InsightState, scopeNotReady, stepOfInsights } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { brake } from '../../../platform/spending/brake.ts';
import {
  beginInsights,
  insightsSwitchedOff,
  readInsightState,
  toldStatus,
} from '../../insights/index.ts';
import { findNewestWindow } from '../store/windows.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';

const kind = 'user_testing_window';

export const requestUserTestingInsights: Action<
  'requestUserTestingInsights',
  UserTestingParts
> = async (context, { params, body }) => {
  const { id: projectId, organizationId } = context.project;
  const event = body.force === true ? 'askedByForce' : 'asked';
  const { scenarioId, windowId, seen } = await context.tenant(async (sql) => {
    const scenario = await findScenario(sql, projectId, params.scenarioId);
    if (context.partModels.insights === 'off') refuse(insightsSwitchedOff);
    const window = await findNewestWindow(sql, scenario.id);
    if (window === undefined) return refuse(scopeNotReady(kind));
    const seen = await readInsightState(sql, { kind, scopeId: window.id });
    return { scenarioId: scenario.id, windowId: window.id, seen };
  });
  const pending = { status: 'pending', insightsStatus: 'pending' } as const;
  const answer = { scenarioId, projectId, windowId, ...pending };
  const reused = (state: InsightState) =>
    ({ ...answer, reused: true, insightsStatus: toldStatus(state) }) as const;
  if (!stepOfInsights(kind, seen.state, event).begins) return reused(seen.state);
  await brake(context, 'insights');
  const of = { organizationId, projectId, kind, scopeId: windowId } as const;
  const audit = { action: 'scenario.insightsAsked', subjectId: scenarioId } as const;
  const stood = await context.tenant((sql) => beginInsights(sql, context, of, event, audit));
  return stood === undefined ? answer : reused(stood);
};
