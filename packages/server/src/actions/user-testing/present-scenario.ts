import type { Scenario, UserTestingScenario } from '@proofmark/contract';
import type { SavedScenario } from '@proofmark/domain';
import type { StoredScenario } from '../../storage/user-testing/scenarios.ts';
import type { ActionContext } from '../action.ts';
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
