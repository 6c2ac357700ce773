/**
 * Returns the approximate size of a value as JSON in bytes. Counting stops at the first number
 * above the limit. Members are counted one by one, so that a list of millions costs no more than
 * the limit. The recursion is safe, because nesting was limited when the value arrived.
 */
export function jsonSize(value: unknown, maxBytes: number): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && bytes <= maxBytes; index += 1) {
      bytes += 1 + jsonSize(value[index], maxBytes - bytes);
    }
    return bytes;
  }
  for (const name in value) {
    bytes += Buffer.byteLength(name) + 4;
    if (bytes > maxBytes) break;
    bytes += jsonSize((value as Readonly<Record<string, unknown>>)[name], maxBytes - bytes);
    if (bytes > maxBytes) break;
  }
  return bytes;
}
