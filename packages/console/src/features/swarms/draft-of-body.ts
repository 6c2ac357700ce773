/**
 * Reads the forms of personas, swarms and journeys. The value of a form is the request body that
 * creates the resource. An edit sends only changed fields.
 */
import type { Json } from '@proofmark/domain';
import { isSame } from '../../kit/changes/json-changes.ts';
import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import type { FieldProblems } from '../../kit/data/field-problems.ts';

interface BodySchema<Body> {
  safeParse(value: unknown): {
    readonly data?: Body | undefined;
    readonly error?:
      | { readonly issues: readonly { readonly path: readonly PropertyKey[]; message: string }[] }
      | undefined;
  };
}

/** Returns the body or its problems. `asked` contains the messages for missing required fields. */
export function readBody<Body>(
  schema: BodySchema<Body>,
  draft: JsonDraft,
  asked: Readonly<Record<string, string>>,
): { body: Body } | { problems: FieldProblems } {
  const problems: Record<string, string> = { ...draft.problems };
  for (const [field, sentence] of Object.entries(asked)) {
    const value = draft.value[field];
    if (value === undefined || String(value).trim() === '') problems[field] ??= sentence;
  }
  const { data, error } = schema.safeParse(draft.value);
  for (const { path, message } of error?.issues ?? []) {
    problems[path.join('.') || 'json'] ??= message;
  }
  if (data === undefined || Object.keys(problems).length > 0) return { problems };
  return { body: data };
}

export function statedFields(saved: object, fields: readonly string[]): Json {
  const held = saved as Json;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = held[field];
      const saysNothing = value === '' || (Array.isArray(value) && value.length === 0);
      return value === undefined || value === null || saysNothing ? [] : [[field, value]];
    }),
  );
}

/**
 * A removed field is sent with the value that clears it. If one of several related fields has
 * changed, all of them are sent.
 */
export function editOf(
  before: Json,
  after: Json,
  rules: {
    readonly cleared: Readonly<Record<string, unknown>>;
    readonly together?: readonly string[];
  },
): Json {
  const { cleared, together = [] } = rules;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  const isPart = changed.some((field) => together.includes(field));
  const sent = [...new Set([...changed, ...(isPart ? together : [])])];
  return Object.fromEntries(sent.map((field) => [field, after[field] ?? cleared[field] ?? null]));
}
