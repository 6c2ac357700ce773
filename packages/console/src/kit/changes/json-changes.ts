/**
 * Returns the differences of two JSON values by path, in a fixed order. The order of an object's
 * fields does not matter. A list is compared as one value, unless `isSet` declares it a set, which
 * is compared item by item.
 */
import { canonicalJson, isRecord, type Json } from '@proofmark/domain';

export type Path = readonly string[];

export interface Change {
  /** Path of the changed value. For an item of a set: the set's path, followed by the item. */
  readonly path: Path;
  /** The old value. `before` is absent if the value was added, `after` if it was removed. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isItem?: true;
}

export type IsSet = (path: Path) => boolean;

export function jsonChanges(
  before: unknown,
  after: unknown,
  isSet: IsSet = () => false,
  path: Path = [],
): Change[] {
  if (isSet(path) && isTextList(before ?? []) && isTextList(after ?? [])) {
    return itemChanges((before ?? []) as string[], (after ?? []) as string[], path);
  }
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      jsonChanges(memberOf(before, name), memberOf(after, name), isSet, [...path, name]),
    );
  }
  if (isSame(before, after)) return [];
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

export function applyChanges(value: Json, changes: readonly Change[]): Json {
  return changes.reduce<unknown>(
    (held, change) => changedAt(held, change.path, change),
    value,
  ) as Json;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

function changedAt(value: unknown, path: Path, change: Change): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change.after;
  if (change.isItem && rest.length === 0) {
    const others = (isTextList(value) ? value : []).filter((item) => item !== name);
    return change.after === undefined ? others : [...others, name].sort();
  }
  const members = isRecord(value) ? value : {};
  const next = changedAt(memberOf(members, name), rest, change);
  const kept = Object.entries(members).filter(([other]) => other !== name);
  return Object.fromEntries(next === undefined ? kept : [...kept, [name, next]]);
}

function itemChanges(before: readonly string[], after: readonly string[], path: Path): Change[] {
  const [had, has] = [new Set(before), new Set(after)];
  return [...new Set([...before, ...after])].sort().flatMap((item): Change[] => {
    if (had.has(item) && has.has(item)) return [];
    const change = has.has(item) ? { after: item } : { before: item };
    return [{ path: [...path, item], ...change, isItem: true }];
  });
}

function memberOf(value: Json, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
