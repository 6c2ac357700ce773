/**
 * Checks the keywords about types, numbers and texts. A problem is returned as the end of a
 * sentence whose subject is the value, such as "must be number".
 */
import { isRecord } from '../kernel/json.ts';
import { invalidKeyword, listUnder, numberAt } from './keyword-value.ts';
import { sameJson } from './same-json.ts';
import type { Fault, Schema, Walk } from './schema-walk.ts';

export function scalarProblem(walk: Walk, schema: Schema, value: unknown): Fault {
  return (
    typeFault(walk, schema, value) ??
    choiceFault(walk, schema, value) ??
    (typeof value === 'number' ? numberFault(schema, value) : undefined) ??
    (typeof value === 'string' ? textFault(walk, schema, value) : undefined)
  );
}

function typeFault(walk: Walk, schema: Schema, value: unknown): Fault {
  const stated = schema['type'];
  if (stated === undefined) return undefined;
  const types: readonly unknown[] = Array.isArray(stated) ? stated : [stated];
  let isOne = false;
  for (const type of types) {
    walk.work.step();
    if (isOfType(type, value)) isOne = true;
  }
  return isOne ? undefined : `must be ${types.join(' or ')}`.slice(0, maxMessageLength);
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type;
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      throw invalidKeyword('type');
  }
}

function choiceFault(walk: Walk, schema: Schema, value: unknown): Fault {
  const choices = listUnder(schema, 'enum');
  if (choices !== undefined && !choices.some((choice) => sameJson(choice, value, walk.work))) {
    return 'must be one of the allowed values';
  }
  if (!Object.hasOwn(schema, 'const') || sameJson(schema['const'], value, walk.work))
    return undefined;
  return 'must be the one allowed value';
}

function numberFault(schema: Schema, value: number): Fault {
  const minimum = numberAt(schema, 'minimum');
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  const maximum = numberAt(schema, 'maximum');
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  const above = numberAt(schema, 'exclusiveMinimum');
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  const below = numberAt(schema, 'exclusiveMaximum');
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  const factor = numberAt(schema, 'multipleOf');
  if (factor === undefined || Number.isInteger(value / factor)) return undefined;
  return `must be a multiple of ${factor}`;
}

function textFault(walk: Walk, schema: Schema, value: string): Fault {
  const shortest = numberAt(schema, 'minLength');
  const longest = numberAt(schema, 'maxLength');
  if (shortest !== undefined || longest !== undefined) {
    walk.work.step(Math.ceil(value.length / 100));
    const length = lengthOf(value);
    if (shortest !== undefined && length < shortest)
      return `must have at least ${shortest} characters`;
    if (longest !== undefined && length > longest) return `must have at most ${longest} characters`;
  }
  const pattern = schema['pattern'];
  if (pattern === undefined) return undefined;
  if (typeof pattern !== 'string') throw invalidKeyword('pattern');
  return walk.work.matches(pattern, value) ? undefined : 'must match its pattern';
}

/** Counts Unicode characters, since some of them take two UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const maxMessageLength = 500;
