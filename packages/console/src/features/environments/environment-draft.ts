/**
 * The state of an environment editor, as form and as JSON. Unset fields are absent. Saving sends
 * only changed fields; `null` clears a field.
 */
import { type BodyInputOf, type OutputOf, operations } from '@proofmark/contract';
import type { Json } from '@proofmark/domain';
import { valueAt } from '../../kit/arguments/argument-values.ts';
import { type IsSet, isSame } from '../../kit/changes/json-changes.ts';
import { type JsonDraft, withField } from '../../kit/changes/json-draft.ts';
import { reapply } from '../../kit/changes/three-way.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

export type EnvironmentContent = BodyInputOf<'createEnvironment'>;

const fields = [
  'name',
  'description',
  'hostId',
  'serverAttachmentId',
  'modelId',
  'skillSelection',
  'pluginVersionIds',
  'sandboxImageId',
] as const satisfies readonly (keyof EnvironmentContent)[];

export function environmentContent(environment: OutputOf<'getEnvironment'>): EnvironmentContent {
  return spelled(environment as unknown as Json) as unknown as EnvironmentContent;
}

export function readEnvironmentDraft(
  draft: JsonDraft,
): { version: EnvironmentContent } | { problems: FieldProblems } {
  const problems: Record<string, string> = { ...draft.problems };
  if (textIn(draft.value, 'name') === '') problems['name'] = 'Enter a name.';
  if (textIn(draft.value, 'hostId') === '') problems['hostId'] = 'Choose a client.';
  const parsed = operations.createEnvironment.body.safeParse(draft.value);
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems[path.join('.') || 'json'] ??= message;
  }
  if (parsed.data === undefined || Object.keys(problems).length > 0) return { problems };
  return { version: spelled(parsed.data) as unknown as EnvironmentContent };
}

export function environmentEdit(
  before: EnvironmentContent,
  after: EnvironmentContent,
  expectedRevision: number,
): BodyInputOf<'updateEnvironment'> {
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  // An empty text clears a description, because the service accepts no null for descriptions.
  const cleared = (field: string) => (field === 'description' ? '' : null);
  return {
    ...Object.fromEntries(changed.map((field) => [field, after[field] ?? cleared(field)])),
    expectedRevision,
  };
}

export const isEnvironmentSet: IsSet = (path) =>
  ['skillSelection.skillIds', 'pluginVersionIds'].includes(path.join('.'));

export function reappliedContent(
  base: EnvironmentContent,
  theirs: EnvironmentContent,
  mine: EnvironmentContent,
): EnvironmentContent {
  const parts = [base, theirs, mine].map(comparableContent) as [Json, Json, Json];
  return fromComparable(reapply(...parts, isEnvironmentSet));
}

/**
 * Fills in empty lists of skills and plugin versions, so that two contents are compared item by
 * item.
 */
export function comparableContent(content: EnvironmentContent): Json {
  return {
    ...(content as Json),
    skillSelection: { skillIds: content.skillSelection?.skillIds ?? [] },
    pluginVersionIds: content.pluginVersionIds ?? [],
  };
}

export function chosenSkills(draft: JsonDraft): string[] {
  return textList(valueAt(draft.value, ['skillSelection', 'skillIds']));
}

export function withSkills(draft: JsonDraft, skillIds: readonly string[]): JsonDraft {
  const selection = skillIds.length === 0 ? undefined : { mode: 'explicit', skillIds };
  return withField(draft, ['skillSelection'], selection);
}

export function pinnedVersions(draft: JsonDraft): string[] {
  return textList(draft.value['pluginVersionIds']);
}

/**
 * Pins one version of a plugin, or none if `pinned` is empty. The pins of other plugins are kept.
 */
export function withPin(
  draft: JsonDraft,
  versionsOfPlugin: readonly string[],
  pinned: string,
): JsonDraft {
  const others = pinnedVersions(draft).filter((id) => !versionsOfPlugin.includes(id));
  const next = pinned === '' ? others : [...others, pinned];
  return withField(draft, ['pluginVersionIds'], next.length === 0 ? undefined : next);
}

export function withText(draft: JsonDraft, field: keyof EnvironmentContent, text: string) {
  return withField(draft, [field], text === '' ? undefined : text);
}

function fromComparable(value: Json): EnvironmentContent {
  const skillIds = textList(valueAt(value, ['skillSelection', 'skillIds']));
  const { skillSelection: _selection, ...rest } = value;
  const selection = skillIds.length === 0 ? {} : { skillSelection: { mode: 'explicit', skillIds } };
  return spelled({ ...rest, ...selection }) as unknown as EnvironmentContent;
}

function spelled(value: Json): Json {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const held = value[field];
      const saysNothing = held === '' || (Array.isArray(held) && held.length === 0);
      return held === undefined || held === null || saysNothing ? [] : [[field, held]];
    }),
  );
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function textIn(value: Json, field: string): string {
  const text = value[field];
  return typeof text === 'string' ? text.trim() : '';
}
