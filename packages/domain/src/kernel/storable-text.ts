/**
 * Replaces characters that a database cannot store, U+0000 and unpaired surrogates, with U+FFFD.
 */
export function storableText(text: string): string {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable ? text : text.replaceAll('\0', '\uFFFD').toWellFormed();
}

export function isStorable(value: unknown): boolean {
  // These are the escapes with which `JSON.stringify` writes the characters that cannot be stored.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(value) ?? '');
}
