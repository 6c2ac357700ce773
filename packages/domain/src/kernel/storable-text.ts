/** Text as a database can hold it: what it cannot hold, U+0000 and half characters, becomes U+FFFD. */
export function storableText(text: string): string {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable ? text : text.replaceAll('\0', '\uFFFD').toWellFormed();
}
