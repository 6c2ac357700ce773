import { scenarioLinkPath } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';
import { openScenarioToken, type StoredScenario } from '../store/scenarios.ts';

type Reached = Pick<ActionContext, 'baseUrl' | 'database'>;

/** Returns the share link in plain text. The caller must check who may read it. */
export function scenarioLink(
  { baseUrl, database }: Reached,
  scenario: StoredScenario,
): { readonly path: string; readonly url: string } {
  const path = scenarioLinkPath(scenario.name, openScenarioToken(database.vault, scenario));
  return { path, url: baseUrl.replace(/\/+$/, '') + path };
}
