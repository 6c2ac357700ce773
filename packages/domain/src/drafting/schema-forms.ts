/**
 * Returns the possible forms of a value: references are followed, `allOf` is merged, and each
 * alternative of `anyOf` and `oneOf` gives its own form. A value made from a form must still be
 * validated against the schema.
 */
import { isRecord, type Json } from '../kernel/json.ts';

const mostForms = 12;
const mostSteps = 8;

export function formsOf(schema: unknown, root: Json): readonly Json[] {
  return found(schema, root, mostSteps).slice(0, mostForms);
}

function found(schema: unknown, root: Json, steps: number): readonly Json[] {
  if (schema === false || steps === 0) return [];
  if (!isRecord(schema)) return [{}];
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if (typeof $ref === 'string') {
    const target = lookUp(root, $ref);
    return target === undefined
      ? []
      : found(merged({ ...own, ...given({ allOf, anyOf, oneOf }) }, target), root, steps - 1);
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.slice(0, mostForms).map((part) => found(part, root, steps - 1)[0] ?? {});
    const whole = parts.reduce(merged, { ...own, ...given({ anyOf, oneOf }) });
    return found(whole, root, steps - 1);
  }
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return [own];
  return alternatives
    .slice(0, mostForms)
    .flatMap((one) => (one === true ? [own] : isRecord(one) ? [merged(own, one)] : []))
    .flatMap((one) => found(one, root, steps - 1));
}

function given(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/**
 * Merges two forms. The second form wins, but the properties and required names of both are kept.
 */
function merged(one: Json, other: Json): Json {
  const [properties, more] = [one['properties'], other['properties']];
  const [required, also] = [one['required'], other['required']];
  return {
    ...one,
    ...other,
    ...((isRecord(properties) || isRecord(more)) && {
      properties: { ...(isRecord(properties) && properties), ...(isRecord(more) && more) },
    }),
    ...((Array.isArray(required) || Array.isArray(also)) && {
      required: [
        ...new Set([
          ...(Array.isArray(required) ? required : []),
          ...(Array.isArray(also) ? also : []),
        ]),
      ],
    }),
  };
}

function lookUp(root: Json, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const part of reference.slice(2).split('/', 20)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name))
      return undefined;
    current = (current as Json)[name];
  }
  return isRecord(current) ? current : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
