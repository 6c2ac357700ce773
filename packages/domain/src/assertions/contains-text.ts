export function containsText(text: string, needle: string, caseSensitive = false): boolean {
  return caseSensitive ? text.includes(needle) : text.toLowerCase().includes(needle.toLowerCase());
}
