/**
 * Returns the source's name with "copy" appended, numbered from the second copy on, so that names
 * stay different. A name that is too long is cut.
 */
import { comparableClientName } from './find-client.ts';

const maxLength = 200;

export function copiedName(name: string, taken: readonly string[]): string {
  const takenNames = new Set(taken.map(comparableClientName));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? ' copy' : ` copy ${number}`;
    const candidate = cut(name.trim(), maxLength - ending.length) + ending;
    if (!takenNames.has(comparableClientName(candidate))) return candidate;
  }
}

/** Cuts a text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length).trimEnd();
}
