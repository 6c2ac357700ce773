/** What a server answered, as lines. Its text keeps its own lines; what is no text is told. */
import { grouped, isRecord } from '@proofmark/domain';

// Control signs but tabs, and the marks that change the direction of text: a terminal would obey them.
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export function contentLines(content: readonly unknown[]): string[] {
  return content.flatMap((part) => {
    const { type, text, resource, uri, data, blob, mimeType } = Object(part) as Record<
      string,
      unknown
    >;
    if (typeof text === 'string') return textLines(text);
    if (isRecord(resource)) return contentLines([resource]);
    const bytes = base64Bytes(data ?? blob);
    if (bytes !== undefined) {
      return [`(${mimeType ?? type ?? 'data'}, ${grouped(bytes)} bytes; --json prints it)`];
    }
    if (typeof uri === 'string') return textLines(`(${type ?? 'resource'}: ${uri})`);
    return [`(${typeof type === 'string' ? type : 'content of no known kind'})`];
  });
}

export function textLines(text: string): string[] {
  return text
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '  ').replaceAll(steering, '\ufffd'));
}

function base64Bytes(data: unknown): number | undefined {
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : undefined;
}
