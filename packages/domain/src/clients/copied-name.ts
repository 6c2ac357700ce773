/**
 * The name of a copy that was given none: that of its source and "copy", numbered from the second on, so that nobody
 * has to tell two clients of one name apart. A name too long for that is cut.
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

/** The longest beginning that fits, by whole characters. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length).trimEnd();
}
