/**
 * The state of a client editor: name and configuration, as form and as JSON. The rules of the
 * service check it before it is sent. Configurations are compared in canonical form, so that the
 * page shows exactly the changes that the service counts.
 */
import {
  attachServers,
  ClientConfig,
  canonicalClientConfig,
  clientConfigProblem,
  type Json,
} from '@proofmark/domain';
import { withValue } from '../../kit/arguments/argument-values.ts';
import type { IsSet } from '../../kit/changes/json-changes.ts';
import { type JsonDraft, startDraft, withForm } from '../../kit/changes/json-draft.ts';
import { reapply } from '../../kit/changes/three-way.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

export interface ClientVersion {
  readonly name: string;
  readonly config: ClientConfig;
}

export interface ClientDraft {
  readonly name: string;
  readonly json: JsonDraft;
}

export type Attachment = 'none' | 'required' | 'optional';

export function clientDraft(version: ClientVersion, before?: ClientDraft): ClientDraft {
  return { name: version.name, json: startDraft(spelled(version.config), before?.json) };
}

export function readClientDraft(
  draft: ClientDraft,
): { version: ClientVersion } | { problems: FieldProblems } {
  const problems: Record<string, string> = { ...draft.json.problems };
  if (draft.name.trim() === '') problems['name'] = 'Enter a name.';
  // Configurations from the service also contain `id` and `schemaVersion`, which only the service
  // may write.
  const { id: _id, schemaVersion: _version, ...value } = draft.json.value;
  const parsed = ClientConfig.safeParse(value);
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems[path.join('.') || 'json'] ??= message;
  }
  const problem = parsed.data && clientConfigProblem(parsed.data);
  if (problem !== undefined) problems[problem.path] ??= problem.message;
  if (parsed.data === undefined || Object.keys(problems).length > 0) return { problems };
  return { version: { name: draft.name.trim(), config: parsed.data } };
}

/** Converts a version to canonical form, so that equal versions are equal JSON. */
export function comparable({ name, config }: ClientVersion): Json {
  return { name, config: spelled(config) };
}

export function reapplied(base: ClientVersion, theirs: ClientVersion, mine: ClientVersion) {
  const parts = [base, theirs, mine].map(comparable) as [Json, Json, Json];
  return reapply(...parts, isClientSet) as unknown as ClientVersion;
}

export const isClientSet: IsSet = ([root, ...path]) =>
  root === 'config' &&
  ['serverIds', 'optionalServerIds', 'builtInToolIds', 'skillSelection.skillIds'].includes(
    path.join('.'),
  );

export function attachmentOf(draft: JsonDraft, serverId: string): Attachment {
  if (idsIn(draft.value, 'serverIds').includes(serverId)) return 'required';
  return idsIn(draft.value, 'optionalServerIds').includes(serverId) ? 'optional' : 'none';
}

/** Changes how a server is attached. Detaching it also removes its connection settings. */
export function withAttachment(draft: JsonDraft, serverId: string, to: Attachment): JsonDraft {
  const others = (field: string) => idsIn(draft.value, field).filter((id) => id !== serverId);
  const next = attachServers(draft.value as unknown as ClientConfig, {
    serverIds: [...others('serverIds'), ...(to === 'required' ? [serverId] : [])],
    optionalServerIds: [...others('optionalServerIds'), ...(to === 'optional' ? [serverId] : [])],
  });
  return withForm(draft, next);
}

export function attachedIds(draft: JsonDraft): string[] {
  return [...idsIn(draft.value, 'serverIds'), ...idsIn(draft.value, 'optionalServerIds')];
}

/**
 * Sets a field of the MCP profile. The profile always contains its version. A profile that contains
 * nothing else is removed.
 */
export function withProfileField(
  draft: JsonDraft,
  field: 'mcpProtocolVersion' | 'resourceLinks',
  text: string,
): JsonDraft {
  const trimmed = text.trim() === '' ? undefined : text.trim();
  const given = withValue(draft.value, ['mcpProfile', field], trimmed);
  const { profileVersion: _version, ...profile } = Object(given['mcpProfile']) as Json;
  const isEmpty = Object.keys(profile).length === 0;
  return withForm(
    draft,
    withValue(given, ['mcpProfile'], isEmpty ? undefined : { profileVersion: 1, ...profile }),
    ['mcpProfile', field],
  );
}

function spelled(config: ClientConfig): Json {
  return canonicalClientConfig(config).config;
}

function idsIn(value: Json, field: string): string[] {
  const ids = value[field];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
