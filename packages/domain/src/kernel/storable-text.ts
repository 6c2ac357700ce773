/** Text as a database can hold it: what it cannot hold, U+0000 and half characters, becomes U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
