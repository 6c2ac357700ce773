/**
 * A JSON Pointer as defined by RFC 6901. The empty pointer means the whole value; `~1` means `/`
 * and `~0` means `~`.
 */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/u.test(text);
}

export function atPointer(
  value: unknown,
  pointer: string,
): { readonly value: unknown } | undefined {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return undefined;
    // In an array only elements are found (not `length`), and an index has no leading zeros.
    if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(key)) return undefined;
    if (!Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return { value: found };
}

/** Escapes a name for use in a pointer, without the slash before it. */
export function pointerPart(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

export function nameAtPath(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  return last.replaceAll('~1', '/').replaceAll('~0', '~');
}
