import type { Scenario, UserTestingScenario } from '@proofmark/contract';
import type { SavedScenario } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';
import type { StoredScenario } from '../store/scenarios.ts';
import { scenarioLink } from './scenario-link.ts';

export function presentPublished(
  context: Pick<ActionContext, 'baseUrl' | 'database'>,
  scenario: StoredScenario,
): Scenario {
  const { id, environmentId, name, mode, accessVersion } = scenario;
  const { url: link } = scenarioLink(context, scenario);
  return { id, environmentId, name, mode, accessVersion, link };
}

export function presentUserTesting(scenario: SavedScenario): UserTestingScenario {
  const { id, projectId, name, description, mode } = scenario;
  return { id, projectId, name, description, mode };
}
