/**
 * A JSON object that is edited in a form and as text. Both edit one value, so they cannot differ.
 * Text that cannot be parsed leaves the value unchanged and counts as a problem.
 */
import { isRecord, type Json } from '@proofmark/domain';
import { type ArgumentPath, valueAt, withValue } from '../arguments/argument-values.ts';

export interface JsonDraft {
  readonly value: Json;
  /** The JSON as typed. Dropped when the form changes the value. */
  readonly typed?: string;
  /**
   * Increases when the value is changed from outside the form. The form's fields are then reset.
   */
  readonly generation: number;
  /** Problems by path with dots. Problems of the whole text are under `json`. */
  readonly problems: Readonly<Record<string, string>>;
}

export const jsonProblemName = 'json';

export function startDraft(value: Json, before?: JsonDraft): JsonDraft {
  return { value, generation: (before?.generation ?? 0) + 1, problems: {} };
}

/**
 * Sets a value from the form. `undefined` removes the value, and then objects that have become
 * empty.
 */
export function withField(draft: JsonDraft, path: ArgumentPath, value: unknown): JsonDraft {
  return withForm(draft, withValue(draft.value, path, value), path);
}

/**
 * Sets the whole value from the form. If items at `path` were removed or moved, their problems are
 * dropped and the form's fields are reset.
 */
export function withForm(draft: JsonDraft, value: Json, path: ArgumentPath = []): JsonDraft {
  const at = path.join('.');
  const { [at]: _mended, [jsonProblemName]: _json, ...problems } = draft.problems;
  const isStill = (name: string) => {
    if (at === '' || !name.startsWith(`${at}.`)) return true;
    const [item = ''] = name.slice(at.length + 1).split('.');
    return valueAt(draft.value, [...path, item]) === valueAt(value, [...path, item]);
  };
  const all = Object.entries(problems);
  const left = all.filter(([name]) => isStill(name));
  const generation = draft.generation + (left.length === all.length ? 0 : 1);
  return { value, generation, problems: Object.fromEntries(left) };
}

export function withProblem(draft: JsonDraft, path: ArgumentPath, problem: string): JsonDraft {
  return { ...draft, problems: { ...draft.problems, [path.join('.')]: problem } };
}

/** `readText` parses the text if it is in another format than JSON. */
export function withJson(draft: JsonDraft, typed: string, readText = readObject): JsonDraft {
  const read = readText(typed);
  if ('problem' in read) {
    const problems = { ...draft.problems, [jsonProblemName]: read.problem };
    return { ...draft, typed, problems };
  }
  return { value: read.value, typed, generation: draft.generation + 1, problems: {} };
}

export function draftText(draft: JsonDraft, write = jsonText): string {
  return draft.typed ?? write(draft.value);
}

function jsonText(value: Json): string {
  return JSON.stringify(value, null, 2);
}

export type ReadText = { readonly value: Json } | { readonly problem: string };

export function readObject(text: string): ReadText {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { value };
    return { problem: 'This must be a JSON object, in braces.' };
  } catch {
    return { problem: 'This is not valid JSON yet.' };
  }
}
