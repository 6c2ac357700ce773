import { buildEnvelope, coverageOfWindow, type InsightsEnvelope } from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { findInsights } from '../../insights/index.ts';
import type { PartModels } from '../../models/index.ts';
import type { StoredScenario } from '../store/scenarios.ts';
import { findNewestWindow } from '../store/windows.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';
import { presentUserTesting } from './present-scenario.ts';

export const getUserTestingScenario: Action<'getUserTestingScenario', UserTestingParts> = async (
  context,
  { params },
) => {
  return context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    return {
      ...presentUserTesting(scenario),
      environmentId: scenario.environmentId,
      ...(await presentWindowEnvelope(sql, scenario, context.partModels)),
    };
  });
};

/** The response omits the insights if they cannot be built. */
async function presentWindowEnvelope(
  sql: Sql,
  { id: scenarioId, projectId }: Pick<StoredScenario, 'id' | 'projectId'>,
  { insights }: Pick<PartModels, 'insights'>,
): Promise<{ readonly insights?: InsightsEnvelope }> {
  const window = await findNewestWindow(sql, scenarioId);
  const stored = window && (await findInsights(sql, 'user_testing_window', window.id));
  const unavailable = insights === 'off' ? 'insights_off' : window ? null : 'not_mined';
  try {
    const envelope = buildEnvelope(
      {
        scope: {
          kind: 'user_testing_window',
          id: window?.id ?? scenarioId,
          scenarioId,
          ...(window && {
            windowStartAt: window.windowStartAt.getTime(),
            windowEndAt: window.windowEndAt.getTime(),
          }),
        },
        projectId,
        unavailable,
        stored,
        coverage:
          window?.result.coverage ?? coverageOfWindow({ total: 0, settled: 0, feedback: 0 }),
        ...(window && { candidateCount: window.result.candidateCount }),
      },
      sha256Hex,
    );
    return { insights: envelope };
  } catch {
    return {};
  }
}
