/**
 * Formats a server's answer for a terminal. Text is printed line by line; for other content, only
 * its kind is named.
 */
import { grouped, isRecord, toAscii } from '@proofmark/domain';
import type { TerminalAbility } from './terminal.ts';

// Control characters except tabs, and characters that change the text direction. They are removed
// because a terminal would interpret them.
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export function contentLines(
  content: readonly unknown[],
  ability: Pick<TerminalAbility, 'ascii'>,
): string[] {
  return content.flatMap((part) => {
    const { type, text, resource, uri, data, blob, mimeType } = Object(part) as Record<
      string,
      unknown
    >;
    if (typeof text === 'string') return textLines(text, ability);
    if (isRecord(resource)) return contentLines([resource], ability);
    const bytes = base64Bytes(data ?? blob);
    if (bytes !== undefined) {
      const kind = mimeType ?? type ?? 'data';
      return textLines(`(${kind}, ${grouped(bytes)} bytes; --json prints it)`, ability);
    }
    if (typeof uri === 'string') return textLines(`(${type ?? 'resource'}: ${uri})`, ability);
    return textLines(`(${typeof type === 'string' ? type : 'content of no known kind'})`, ability);
  });
}

export function textLines(text: string, { ascii }: Pick<TerminalAbility, 'ascii'>): string[] {
  return text
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '  ').replaceAll(steering, '\ufffd'))
    .map((line) => (ascii ? toAscii(line) : line));
}

function base64Bytes(data: unknown): number | undefined {
  if (typeof data !== 'string') return undefined;
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}
