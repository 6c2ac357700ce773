import { listUnder, numberAt } from './keyword-value.ts';
import { sameJson } from './same-json.ts';
import { at, describePath, type Fault, type Schema, type Walk } from './schema-walk.ts';

export function arrayProblem(
  walk: Walk,
  schema: Schema,
  value: readonly unknown[],
  path: string,
): Fault {
  const fewest = numberAt(schema, 'minItems');
  if (fewest !== undefined && value.length < fewest)
    return `${describePath(path)} must have at least ${fewest} items`;
  const most = numberAt(schema, 'maxItems');
  if (most !== undefined && value.length > most)
    return `${describePath(path)} must have at most ${most} items`;
  if (schema['uniqueItems'] === true && hasDouble(walk, value))
    return `${describePath(path)} must not have equal items`;
  return itemsFault(walk, schema, value, path) ?? containsFault(walk, schema, value, path);
}

function itemsFault(walk: Walk, schema: Schema, value: readonly unknown[], path: string): Fault {
  const isTuple = walk.draft < 2020 && Array.isArray(schema['items']);
  const first =
    walk.draft < 2020
      ? isTuple
        ? listUnder(schema, 'items')
        : undefined
      : listUnder(schema, 'prefixItems');
  const rest = isTuple ? schema['additionalItems'] : schema['items'];
  for (const [index, item] of value.entries()) {
    walk.work.step();
    const isFirst = first !== undefined && index < first.length;
    const itemSchema = isFirst ? first[index] : rest;
    if (itemSchema === undefined) continue;
    const fault = walk.fault(itemSchema, item, at(path, index));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function containsFault(walk: Walk, schema: Schema, value: readonly unknown[], path: string): Fault {
  const contained = schema['contains'];
  if (contained === undefined) return undefined;
  const isCounted = walk.draft >= 2019;
  const fewest = (isCounted ? numberAt(schema, 'minContains') : undefined) ?? 1;
  const most =
    (isCounted ? numberAt(schema, 'maxContains') : undefined) ?? Number.POSITIVE_INFINITY;
  const count = value.filter((item) => walk.fault(contained, item, path) === undefined).length;
  return count >= fewest && count <= most
    ? undefined
    : `${describePath(path)} has ${count} items that match "contains", which is too few or too many`;
}

function hasDouble(walk: Walk, value: readonly unknown[]): boolean {
  return value.some((item, index) => {
    for (let other = 0; other < index; other += 1) {
      if (sameJson(item, value[other], walk.work)) return true;
    }
    return false;
  });
}
