/** Text as a database can hold it: what it cannot hold, U+0000 and half characters, becomes U+FFFD. */
export function storableText(text: string): string {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable ? text : text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Whether a database can hold every text of this value, which is JSON. */
export function isStorable(value: unknown): boolean {
  // What cannot be held is the only thing that JSON spells this way.
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(value) ?? '');
}
