/** Compares two JSON values; the order of properties does not matter. */
import { isRecord } from '../kernel/json.ts';
import type { SchemaWork } from './schema-work.ts';

export function sameJson(left: unknown, right: unknown, work: SchemaWork): boolean {
  work.step();
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => sameJson(item, right[index], work))
    );
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) => Object.hasOwn(right, name) && sameJson(left[name], right[name], work),
  );
}
