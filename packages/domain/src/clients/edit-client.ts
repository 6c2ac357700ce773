/**
 * Edits a client by compare-and-set. If the client has changed since the caller last read it,
 * nothing is written, and the refusal contains the current state. `config` replaces the whole
 * config. `set` replaces the named fields; null removes a field, except the required model.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { modelParameterNames } from '../models/model-parameters.ts';
import { canonicalClientConfig } from './canonical-client-config.ts';
import { ClientConfig } from './client-config.ts';
import { clientConfigProblem } from './client-config-problem.ts';

export interface ClientEditImpact {
  readonly liveEnvironmentCount: number;
  readonly scenarioAttachmentCount: number;
  readonly activeLegacyJourneyCount: number;
}

export interface EditableClient {
  readonly name: string;
  readonly config: ClientConfig;
  readonly configId: string;
}

export interface ClientEdit {
  readonly name?: string | undefined;
  readonly config?: ClientConfig | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly expectedConfigId?: string | undefined;
  readonly expectedName?: string | undefined;
  readonly expectedImpact?: ClientEditImpact | undefined;
}

export type ClientEditOutcome =
  | { readonly refusal: Refusal }
  | { readonly unchanged: true }
  /** The config is in its canonical form. */
  | { readonly name?: string; readonly config?: ClientConfig };

export function editClient(
  current: EditableClient,
  edit: ClientEdit,
  impact: ClientEditImpact,
): ClientEditOutcome {
  const stale = staleness(current, edit, impact);
  if (stale !== undefined) return { refusal: stale };
  const wanted = wantedConfig(current.config, edit);
  if ('refusal' in wanted) return wanted;
  const next = canonicalClientConfig(wanted.config);
  const changesConfig = next.text !== canonicalClientConfig(current.config).text;
  const name = edit.name?.trim();
  const changesName = name !== undefined && name !== current.name.trim();
  if (!changesConfig && !changesName) return { unchanged: true };
  return {
    ...(changesName ? { name } : {}),
    ...(changesConfig ? { config: next.config } : {}),
  };
}

export const settableClientFields = [
  'modelId',
  'systemPrompt',
  ...modelParameterNames,
  'requireToolApproval',
  'parallelToolCalls',
  'connectionDefaults',
  'respectToolVisibility',
  'progressiveToolDiscovery',
  'harness',
  'computer',
  'builtInToolIds',
  'skillSelection',
  'modelVisibleMcpToolResults',
  'mcpToolResultImageRendering',
  'mcpProfile',
  'hostCapabilitiesOverride',
  'chatUiOverride',
] as const satisfies readonly (keyof ClientConfig)[];

function staleness(
  current: EditableClient,
  edit: ClientEdit,
  impact: ClientEditImpact,
): Refusal | undefined {
  const { expectedConfigId, expectedName, expectedImpact } = edit;
  if (expectedConfigId !== undefined && expectedConfigId !== current.configId) {
    return conflict('The config of this client was changed by another request; read it again.', {
      currentConfigId: current.configId,
    });
  }
  if (expectedName !== undefined && expectedName.trim() !== current.name.trim()) {
    return conflict('This client was renamed by another request; read it again.', {
      currentName: current.name,
    });
  }
  if (expectedImpact !== undefined && canonicalJson(expectedImpact) !== canonicalJson(impact)) {
    return conflict(
      'The resources that depend on this client have changed; read details.currentImpact, and send it as expectedImpact if the edit is still wanted.',
      {
        currentImpact: impact,
      },
    );
  }
  return undefined;
}

function unsettable(field: string, value: unknown): ReturnType<typeof refused> | undefined {
  if (!(settableClientFields as readonly string[]).includes(field)) {
    return refused(
      `set.${field}`,
      `set cannot change ${JSON.stringify(field)}; send the whole config.`,
    );
  }
  if (value === null && field === 'modelId') {
    return refused('set.modelId', 'The model of a client cannot be removed; name another model.');
  }
  return undefined;
}

function wantedConfig(
  current: ClientConfig,
  edit: ClientEdit,
): { readonly config: ClientConfig } | { readonly refusal: Refusal } {
  if (edit.config === undefined && edit.set === undefined) return { config: current };
  const draft: Record<string, unknown> = { ...(edit.config ?? current) };
  for (const [field, value] of Object.entries(edit.set ?? {})) {
    const refusal = unsettable(field, value);
    if (refusal !== undefined) return refusal;
    if (value === null) delete draft[field];
    else if (value !== undefined) draft[field] = value;
  }
  return checkedConfig(draft, edit.config === undefined ? 'set' : 'config');
}

function checkedConfig(
  draft: Readonly<Record<string, unknown>>,
  parent: 'set' | 'config',
): { readonly config: ClientConfig } | { readonly refusal: Refusal } {
  const parsed = ClientConfig.safeParse(draft);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refused([parent, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'Not a config.');
  }
  const problem = clientConfigProblem(parsed.data);
  if (problem !== undefined) return refused(`${parent}.${problem.path}`, problem.message);
  return { config: parsed.data };
}

function refused(path: string, message: string): { readonly refusal: Refusal } {
  return { refusal: invalid(path, message) };
}

function conflict(message: string, details: Readonly<Record<string, unknown>>): Refusal {
  return { code: 'CONFLICT', message, details };
}
