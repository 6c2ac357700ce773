import { namesOf, numberAt, objectAt } from './keyword-value.ts';
import { at, describePath, type Fault, type Schema, type Walk } from './schema-walk.ts';

export function objectProblem(walk: Walk, schema: Schema, value: Schema, path: string): Fault {
  const names = Object.keys(value);
  const fewest = numberAt(schema, 'minProperties');
  if (fewest !== undefined && names.length < fewest)
    return `${describePath(path)} must have at least ${fewest} members`;
  const most = numberAt(schema, 'maxProperties');
  if (most !== undefined && names.length > most)
    return `${describePath(path)} must have at most ${most} members`;
  return (
    missingFault(walk, schema['required'] ?? [], 'required', value, path) ??
    membersFault(walk, schema, value, names, path) ??
    dependencyFault(walk, schema, value, path)
  );
}

function missingFault(
  walk: Walk,
  required: unknown,
  keyword: string,
  value: Schema,
  path: string,
): Fault {
  for (const name of namesOf(required, keyword)) {
    walk.work.step();
    if (!Object.hasOwn(value, name))
      return `${describePath(path)} must have the member ${name.slice(0, 60)}`;
  }
  return undefined;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: which schemas a member must meet depends on the ones found before; each check is one step of that rule.
function membersFault(
  walk: Walk,
  schema: Schema,
  value: Schema,
  names: readonly string[],
  path: string,
): Fault {
  const properties = objectAt(schema, 'properties') ?? {};
  const patterns = Object.entries(objectAt(schema, 'patternProperties') ?? {});
  const additional = schema['additionalProperties'];
  const nameSchema = schema['propertyNames'];
  for (const name of names) {
    walk.work.step();
    const wrongName =
      nameSchema === undefined ? undefined : walk.fault(nameSchema, name, at(path, name));
    if (wrongName !== undefined) return wrongName;
    const schemas = patterns
      .filter(([pattern]) => walk.work.matches(pattern, name))
      .map((entry) => entry[1]);
    if (Object.hasOwn(properties, name)) schemas.push(properties[name]);
    if (schemas.length === 0 && additional === false) {
      return `${describePath(path)} must not have the member ${name.slice(0, 60)}`;
    }
    if (schemas.length === 0 && additional !== undefined) schemas.push(additional);
    for (const memberSchema of schemas) {
      const fault = walk.fault(memberSchema, value[name], at(path, name));
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/**
 * Checks keywords that require properties, or apply a schema, if another property is present. Up to
 * draft 7, `dependencies` covered both cases.
 */
function dependencyFault(walk: Walk, schema: Schema, value: Schema, path: string): Fault {
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    for (const [name, dependency] of Object.entries(objectAt(schema, keyword) ?? {})) {
      walk.work.step();
      if (!Object.hasOwn(value, name)) continue;
      const fault = Array.isArray(dependency)
        ? missingFault(walk, dependency, keyword, value, path)
        : walk.fault(dependency, value, path);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}
