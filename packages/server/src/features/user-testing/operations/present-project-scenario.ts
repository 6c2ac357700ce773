import type { ProjectScenario, ScenarioDetail } from '@proofmark/contract';
import { maskUrl, type Refusal, unsupportedOf } from '@proofmark/domain';
import type { ActionContext } from '../../../platform/operations/action.ts';
import type { StoredScenario } from '../store/scenarios.ts';
import type { PlayedScenario } from './read-played.ts';
import { scenarioLink } from './scenario-link.ts';

type Outcome = PlayedScenario | { readonly refusal: Refusal };

export function presentProjectScenario(
  context: Pick<ActionContext, 'baseUrl' | 'database'>,
  scenario: StoredScenario,
  played: Outcome,
): ProjectScenario {
  const { id, projectId, name, description, mode, environmentId, accessVersion } = scenario;
  return {
    id,
    projectId,
    name,
    description,
    mode,
    ...environmentOf(played),
    link: scenarioLink(context, scenario),
    createdAt: scenario.createdAt.getTime(),
    updatedAt: scenario.updatedAt.getTime(),
    environmentId,
    accessVersion,
  };
}

/**
 * Presents the environment of a scenario. Unavailable parts are null, because the owner must see a
 * broken scenario to unpublish it.
 */
function environmentOf(played: Outcome) {
  if ('refusal' in played) {
    const { details, message } = played.refusal;
    return {
      hostStyle: null,
      hostId: null,
      hostName: null,
      serverCount: 0,
      serverNames: [],
      credentialedServerNames: [],
      environmentError: { code: String(details?.['code']), message },
    };
  }
  const { client } = played.resolved;
  const serverNames = played.servers.map(({ name }) => name);
  return {
    hostStyle: client.config.hostStyle ?? null,
    hostId: client.id,
    hostName: client.name,
    serverCount: serverNames.length,
    serverNames,
    credentialedServerNames: [...played.credentialedServerNames],
  };
}

export function presentScenarioDetail(
  context: Pick<ActionContext, 'baseUrl' | 'database'>,
  scenario: StoredScenario,
  played: Outcome,
  guestCreditsToday: number,
): ScenarioDetail {
  const { feedback, welcome, guestExecution } = scenario;
  return {
    ...presentProjectScenario(context, scenario, played),
    ...playedDetail(played),
    feedback,
    welcome,
    guestExecution,
    guestCreditsToday,
  };
}

function playedDetail(played: Outcome) {
  if ('refusal' in played) {
    const unknown = { modelId: null, systemPrompt: null, temperature: null };
    return { ...unknown, requireToolApproval: true, servers: [] };
  }
  const { resolved, servers } = played;
  const { config } = resolved.client;
  const unsupported = unsupportedOf(config);
  return {
    modelId: resolved.effectiveModelId,
    systemPrompt: config.systemPrompt ?? null,
    temperature: config.temperature ?? null,
    requireToolApproval: config.requireToolApproval ?? false,
    servers: servers.map(({ id, name, url, useOAuth }) => ({
      id,
      name,
      useOAuth,
      url: url && maskUrl(url),
    })),
    ...(unsupported.length > 0 && { unsupported }),
  };
}
