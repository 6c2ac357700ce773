/**
 * Resolves an environment in its current state. The result is frozen, so that a run can store it.
 *
 * - Servers: those of the server attachment, or without an attachment those of the client; also
 *   those of the pinned plugin versions.
 * - Model: the environment's, or else the client's.
 * - Skills: those that the environment selects, or without a selection those that the client sees;
 *   also those of the pinned plugin versions. A plugin's skill version wins, and the first plugin
 *   wins over later ones.
 *
 * Every referenced item must exist, except servers that are optional to the client.
 */
import { canonicalClientConfig } from '../clients/canonical-client-config.ts';
import type { ClientConfig } from '../clients/client-config.ts';
import type { Environment } from './environment.ts';
import type { FoundConflict } from './environment-conflicts.ts';

export interface EnvironmentParts {
  readonly environment: Omit<Environment, 'projectId' | 'description'>;
  /** The client and the attachment are undefined if they were deleted. */
  readonly client: ResolvableClient | undefined;
  readonly serverAttachment:
    | { readonly id: string; readonly serverIds: readonly string[] }
    | undefined;
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  readonly pluginVersions: readonly ResolvablePluginVersion[];
  readonly skills: readonly ResolvableSkill[];
}

export interface ResolvableClient {
  readonly id: string;
  readonly name: string;
  readonly configId: string;
  readonly config: ClientConfig;
}

export interface ResolvablePluginVersion {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly bundleHash: string;
  readonly serverIds: readonly string[];
  readonly skills: readonly ResolvedSkill[];
}

export interface ResolvedSkill {
  readonly skillId: string;
  readonly skillVersionId: string;
  readonly name: string;
  readonly contentHash: string;
}

export interface ResolvableSkill {
  readonly id: string;
  readonly name: string;
  readonly latestVersionId: string;
  readonly contentHash: string;
}

export interface ResolvedEnvironment {
  readonly environment: { readonly id: string; readonly name: string; readonly revision: number };
  readonly client: ResolvableClient;
  readonly modelId?: string;
  readonly effectiveModelId: string;
  readonly modelSource: 'environment' | 'host';
  readonly serverAttachmentId?: string;
  readonly sandboxImageId?: string;
  readonly selectedServerIds: readonly string[];
  /** The only servers that a run may use, including those of plugins. */
  readonly effectiveServerIds: readonly string[];
  readonly servers: readonly { readonly serverId: string; readonly name: string }[];
  readonly pluginVersions: readonly {
    readonly pluginId: string;
    readonly pluginVersionId: string;
    readonly name: string;
    readonly bundleHash: string;
  }[];
  readonly skills: readonly ResolvedSkill[];
}

export interface EnvironmentConflictFound {
  readonly conflict: FoundConflict;
  readonly missingId?: string;
}

export function resolveEnvironment(
  parts: EnvironmentParts,
): { readonly resolved: ResolvedEnvironment } | EnvironmentConflictFound {
  const { environment, client } = parts;
  const { serverAttachmentId, sandboxImageId } = environment;
  if (environment.archivedAt !== null) return { conflict: 'ENV_ARCHIVED' };
  if (client === undefined)
    return { conflict: 'ENV_HOST_NOT_FOUND', missingId: environment.hostId };
  const { config } = canonicalClientConfig(client.config);

  const pins = pick(environment.pluginVersionIds ?? [], parts.pluginVersions);
  if ('missingId' in pins) return { conflict: 'ENV_PLUGIN_VERSION_NOT_FOUND', ...pins };

  const selection = selectServers(parts, config);
  if ('conflict' in selection) return selection;
  const selected = pick(selection.serverIds, parts.servers);
  if ('missingId' in selected) return { conflict: 'ENV_SERVER_NOT_FOUND', ...selected };
  const pluginServerIds = pins.found.flatMap(({ serverIds }) => serverIds);
  const servers = pick([...selection.serverIds, ...pluginServerIds], parts.servers);
  if ('missingId' in servers) return { conflict: 'ENV_SERVER_NOT_FOUND', ...servers };
  if (servers.found.length === 0) return { conflict: 'ENV_NO_SERVERS' };

  const pinnedSkills = pins.found.flatMap(({ skills }) => skills);
  const pinnedSkillIds = pinnedSkills.map(({ skillId }) => skillId);
  const skills = pick([...selectSkills(parts, config), ...pinnedSkillIds], parts.skills);
  if ('missingId' in skills) return { conflict: 'ENV_SKILL_NOT_FOUND', ...skills };

  const modelId = textOf(environment.modelId);
  const effectiveModelId = modelId ?? textOf(config.modelId);
  if (effectiveModelId === undefined) return { conflict: 'ENV_MODEL_REQUIRED' };

  return {
    resolved: freeze({
      environment: {
        id: environment.id,
        name: environment.name,
        revision: environment.revision,
      },
      client: { id: client.id, name: client.name, configId: client.configId, config },
      ...(modelId === undefined ? {} : { modelId }),
      effectiveModelId,
      modelSource: modelId === undefined ? 'host' : 'environment',
      ...(serverAttachmentId === null ? {} : { serverAttachmentId }),
      ...(sandboxImageId === null ? {} : { sandboxImageId }),
      selectedServerIds: selected.found.map(({ id }) => id),
      effectiveServerIds: servers.found.map(({ id }) => id),
      servers: servers.found.map(({ id, name }) => ({ serverId: id, name })),
      pluginVersions: pins.found.map(({ pluginId, id, name, bundleHash }) => ({
        pluginId,
        pluginVersionId: id,
        name,
        bundleHash,
      })),
      skills: skills.found.map((skill) => skillVersion(skill, pinnedSkills)),
    }),
  };
}

function selectServers(
  { environment, serverAttachment, servers }: EnvironmentParts,
  config: ClientConfig,
): { readonly serverIds: readonly string[] } | EnvironmentConflictFound {
  if (environment.serverAttachmentId !== null) {
    return serverAttachment?.id === environment.serverAttachmentId
      ? { serverIds: serverAttachment.serverIds }
      : {
          conflict: 'ENV_SERVER_ATTACHMENT_NOT_FOUND',
          missingId: environment.serverAttachmentId,
        };
  }
  const known = new Set(servers.map(({ id }) => id));
  const { serverIds = [], optionalServerIds = [] } = config;
  return { serverIds: [...serverIds, ...optionalServerIds.filter((id) => known.has(id))] };
}

/** A client that names no skills sees all of them. */
function selectSkills(
  { environment, skills }: EnvironmentParts,
  config: ClientConfig,
): readonly string[] {
  if (environment.skillSelection !== null) return environment.skillSelection.skillIds;
  if (config.skillSelection?.mode === 'explicit') return config.skillSelection.skillIds;
  return skills.map(({ id }) => id).sort();
}

function skillVersion(
  { id, latestVersionId, name, contentHash }: ResolvableSkill,
  pinned: readonly ResolvedSkill[],
): ResolvedSkill {
  const pin = pinned.find(({ skillId }) => skillId === id);
  // The pin is copied, since the result is frozen and the caller's object must not be.
  return pin === undefined
    ? { skillId: id, skillVersionId: latestVersionId, name, contentHash }
    : { ...pin };
}

function pick<Item extends { readonly id: string }>(
  ids: readonly string[],
  items: readonly Item[],
): { readonly found: readonly Item[] } | { readonly missingId: string } {
  const byId = new Map(items.map((item) => [item.id, item]));
  const found: Item[] = [];
  for (const id of new Set(ids)) {
    const item = byId.get(id);
    if (item === undefined) return { missingId: id };
    found.push(item);
  }
  return { found };
}

function textOf(text: string | null): string | undefined {
  return text?.trim() || undefined;
}

/** Freezes an object at every depth. This is safe, since all of its parts were created here. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) freeze(item);
    Object.freeze(value);
  }
  return value;
}
