/**
 * Returns the canonical JSON of a value, so that equal values have equal hashes. Keys are sorted by
 * UTF-16 units, absent properties are left out, absent array elements become null, and −0 becomes
 * 0. Values that JSON cannot express are rejected.
 */
export function canonicalJson(value: unknown): string {
  return spell(value, new Set());
}

function spell(value: unknown, above: Set<object>): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError('JSON cannot contain a number that is not finite, such as NaN.');
    return JSON.stringify(value === 0 ? 0 : value);
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return JSON.stringify(value);
  }
  if (typeof value !== 'object')
    throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  if (above.has(value)) throw new TypeError('JSON cannot contain a value that contains itself.');
  above.add(value);
  const text = Array.isArray(value) ? spellList(value, above) : spellRecord(value, above);
  above.delete(value);
  return text;
}

function spellList(list: readonly unknown[], above: Set<object>): string {
  return `[${Array.from(list, (item) => (item === undefined ? 'null' : spell(item, above))).join(',')}]`;
}

function spellRecord(record: object, above: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('JSON cannot contain an instance of a class.');
  }
  const entries = Object.entries(record).filter(([, item]) => item !== undefined);
  // `<` compares strings by UTF-16 units, regardless of the language of the machine.
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${spell(item, above)}`).join(',')}}`;
}
