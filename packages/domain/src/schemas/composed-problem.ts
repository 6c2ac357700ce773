/** Keywords that combine schemas. */

import { listUnder } from './keyword-value.ts';
import { describePath, type Fault, type Schema, type Walk } from './schema-walk.ts';

export function composedProblem(walk: Walk, schema: Schema, value: unknown, path: string): Fault {
  for (const part of listUnder(schema, 'allOf') ?? []) {
    const fault = walk.fault(part, value, path);
    if (fault !== undefined) return fault;
  }
  const holds = (part: unknown) => walk.fault(part, value, path) === undefined;
  const any = listUnder(schema, 'anyOf');
  if (any !== undefined && !any.some(holds))
    return `${describePath(path)} fits none of the schemas it may fit`;
  const one = listUnder(schema, 'oneOf');
  if (one !== undefined && one.filter(holds).length !== 1) {
    return `${describePath(path)} does not fit exactly one of the schemas it may fit`;
  }
  if (Object.hasOwn(schema, 'not') && holds(schema['not'])) {
    return `${describePath(path)} fits a schema that it must not fit`;
  }
  if (walk.draft < 7 || !Object.hasOwn(schema, 'if')) return undefined;
  const next = holds(schema['if']) ? schema['then'] : schema['else'];
  return next === undefined ? undefined : walk.fault(next, value, path);
}
