/**
 * How many bytes a value takes as JSON, about, and counted no further than a limit: the first figure over the limit
 * is the answer. Members are taken one by one, so that a list of millions costs no more than the limit does. Nesting
 * was bounded on arrival.
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
