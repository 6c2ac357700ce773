/**
 * Checks a value against a JSON Schema by walking both, without compiling, so that the work can be
 * limited. Supports drafts 6, 7, 2019-09 and 2020-12. Formats are ignored, since by default they
 * are only annotations. An unsupported keyword or reference stops the check, since no answer is
 * better than a wrong one. Nothing is ever fetched.
 *
 * A compiling validator (ajv) cannot be stopped, so each check would need a thread with limits,
 * which is about 3,000 times slower.
 */
import { isRecord } from '../kernel/json.ts';
import { arrayProblem } from './array-problem.ts';
import { listUnder } from './keyword-value.ts';
import { objectProblem } from './object-problem.ts';
import { scalarProblem } from './scalar-problem.ts';
import { type Draft, describePath, type Fault, type Schema, type Walk } from './schema-walk.ts';
import { NotChecked, type PatternReader, SchemaWork } from './schema-work.ts';

interface Root {
  readonly schema: unknown;
  readonly references: Map<unknown, unknown>;
}

export type ValueCheck =
  | { readonly state: 'valid' }
  | { readonly state: 'invalid' | 'notValidated'; readonly message: string };

/** Returns `notValidated` if the check takes too long by the caller's clock. */
export function checkBySchema(
  schema: unknown,
  value: unknown,
  read: PatternReader,
  nowMs: () => number,
  /**
   * The subschema to check against (default: the whole schema). References are resolved in the
   * whole schema.
   */
  part: unknown = schema,
): ValueCheck {
  try {
    const draft = draftOf(schema);
    const work = new SchemaWork(read, nowMs);
    const references = new Map<unknown, unknown>();
    const walk: Walk = {
      draft,
      work,
      fault(subschema, part, path) {
        work.enter();
        const fault = faultOf(walk, { schema, references }, subschema, part, path);
        work.leave();
        return fault;
      },
    };
    const fault = walk.fault(part, value, '');
    return fault === undefined ? { state: 'valid' } : { state: 'invalid', message: fault };
  } catch (error) {
    if (!(error instanceof NotChecked)) throw error;
    return { state: 'notValidated', message: error.message };
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the order of the checks decides which fault is told; they are read from top to bottom.
function faultOf(walk: Walk, root: Root, schema: unknown, value: unknown, path: string): Fault {
  if (schema === true) return undefined;
  if (schema === false) return `${describePath(path)} is not allowed`;
  if (!isRecord(schema)) throw new NotChecked('The schema is not a valid schema.');
  for (const name of uncheckedKeywords) {
    if (Object.hasOwn(schema, name))
      throw new NotChecked(`The schema uses ${name}, which Proofmark does not check.`);
  }
  if (schema !== root.schema && typeof schema['$id'] === 'string')
    throw new NotChecked('The schema contains another schema with its own $id.');
  if (Object.hasOwn(schema, '$ref')) {
    const fault = walk.fault(referred(root, schema['$ref']), value, path);
    // Up to draft 7, keywords next to `$ref` are ignored.
    if (fault !== undefined || walk.draft < 2019) return fault;
  }
  const fault = scalarProblem(walk, schema, value) ?? undefined;
  if (fault !== undefined) return `${describePath(path)} ${fault}`;
  return (
    (Array.isArray(value) ? arrayProblem(walk, schema, value, path) : undefined) ??
    (isRecord(value) ? objectProblem(walk, schema, value, path) : undefined) ??
    composedProblem(walk, schema, value, path)
  );
}

function draftOf(schema: unknown): Draft {
  const stated = isRecord(schema) ? schema['$schema'] : undefined;
  if (stated === undefined) return 2020;
  const draft =
    typeof stated === 'string'
      ? drafts.get(stated.replace(/#$/, '').replace(/^https:/, 'http:'))
      : undefined;
  if (draft === undefined) throw new NotChecked('The schema is in an unknown dialect.');
  return draft;
}

function referred(root: Root, reference: unknown): unknown {
  if (!root.references.has(reference)) {
    root.references.set(reference, resolved(root.schema, reference));
  }
  return root.references.get(reference);
}

function resolved(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) {
    throw new NotChecked('A $ref in the schema does not point to a path inside it.');
  }
  let found: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    if (!isThere) throw new NotChecked('A $ref in the schema points to a part that is missing.');
    found = (found as Schema)[key];
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Keywords that stop the check, since they are not fully supported here. */
export const uncheckedKeywords: readonly string[] = [
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedProperties',
  'unevaluatedItems',
  '$data',
];

const drafts = new Map<string, Draft>([
  ['http://json-schema.org/draft-06/schema', 6],
  ['http://json-schema.org/draft-07/schema', 7],
  ['http://json-schema.org/draft/2019-09/schema', 2019],
  ['http://json-schema.org/draft/2020-12/schema', 2020],
]);

function composedProblem(walk: Walk, schema: Schema, value: unknown, path: string): Fault {
  for (const part of listUnder(schema, 'allOf') ?? []) {
    const fault = walk.fault(part, value, path);
    if (fault !== undefined) return fault;
  }
  const holds = (part: unknown) => walk.fault(part, value, path) === undefined;
  const any = listUnder(schema, 'anyOf');
  if (any !== undefined && !any.some(holds))
    return `${describePath(path)} matches none of the schemas in "anyOf"`;
  const one = listUnder(schema, 'oneOf');
  if (one !== undefined && one.filter(holds).length !== 1) {
    return `${describePath(path)} does not match exactly one of the schemas in "oneOf"`;
  }
  if (Object.hasOwn(schema, 'not') && holds(schema['not'])) {
    return `${describePath(path)} matches the schema in "not"`;
  }
  if (walk.draft < 7 || !Object.hasOwn(schema, 'if')) return undefined;
  const next = holds(schema['if']) ? schema['then'] : schema['else'];
  return next === undefined ? undefined : walk.fault(next, value, path);
}
