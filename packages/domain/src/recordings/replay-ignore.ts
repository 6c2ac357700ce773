/**
 * The differences from a recorded result that a replay ignores: parts of the MCP result, as JSON
 * pointers in which `*` matches any one segment; and kinds of values, also inside longer texts.
 */
import * as z from 'zod';

export const ignoredKinds = ['timestamp', 'uuid', 'number'] as const;
export type IgnoredKind = (typeof ignoredKinds)[number];

export const ReplayIgnore = z
  .array(
    z.union([
      z.enum(ignoredKinds),
      z
        .string()
        .max(1000)
        .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'Give a JSON pointer such as /structuredContent/at.'),
    ]),
  )
  .max(100)
  .meta({
    id: 'EvalReplayIgnore',
    description:
      'An addition of Proofmark beyond the specification: the parts of a result that may differ from the recorded result when a run is replayed. Each is a JSON pointer into the MCP result, in which * stands for any one part; or timestamp, uuid or number for values of that kind, also inside longer texts.',
  });
export type ReplayIgnore = z.infer<typeof ReplayIgnore>;

export interface IgnoreRules {
  ignores(path: readonly string[]): boolean;
  readonly numbers: boolean;
  plain(text: string): string;
}

export const nothingIgnored: IgnoreRules = {
  ignores: () => false,
  numbers: false,
  plain: (text) => text,
};

export function readIgnore(stated: readonly string[] = []): IgnoreRules {
  if (stated.length === 0) return nothingIgnored;
  const kinds = new Set(stated.filter((one) => !one.startsWith('/')));
  const pointers = stated.filter((one) => one.startsWith('/')).map(partsOfPointer);
  // Numbers are replaced last, since UUIDs and timestamps contain numbers.
  const patterns = (['uuid', 'timestamp', 'number'] as const).filter((kind) => kinds.has(kind));
  return {
    numbers: kinds.has('number'),
    ignores: (path) => pointers.some((pointer) => isBelow(path, pointer)),
    plain: (text) =>
      patterns.reduce((soFar, kind) => soFar.replaceAll(spelledAs[kind], `<${kind}>`), text),
  };
}

function isBelow(path: readonly string[], pointer: readonly string[]): boolean {
  return (
    path.length >= pointer.length &&
    pointer.every((part, index) => part === '*' || part === path[index])
  );
}

function partsOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerOf(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const clock = String.raw`\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`;
const zone = String.raw`(?:Z|[A-Z]{2,5})?(?:[+-]\d{2}:?\d{2})?(?:\s\([A-Z][A-Za-z ]{1,60}\))?`;
const time = String.raw`${clock}(?:\s?${zone})?`;
const moments = [
  String.raw`\d{4}-\d{2}-\d{2}(?:[T ]${time})?`,
  // As in e-mail headers: Fri, 02 Jan 2026 03:04:05 GMT
  String.raw`(?:[A-Z][a-z]{2},\s)?\d{1,2}\s[A-Z][a-z]{2}\s\d{4}(?:\s${time})?`,
  // As in JavaScript: Fri Jan 02 2026 03:04:05 GMT+0000 (…)
  String.raw`[A-Z][a-z]{2}\s[A-Z][a-z]{2}\s\d{2}\s\d{4}(?:\s${time})?`,
  // As in shells: Fri Jan 2 03:04:05 UTC 2026
  String.raw`[A-Z][a-z]{2}\s[A-Z][a-z]{2}\s{1,2}\d{1,2}\s${clock}(?:\s[A-Z]{2,5})?\s\d{4}`,
];
const spelledAs: Readonly<Record<IgnoredKind, RegExp>> = {
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
  timestamp: new RegExp(moments.join('|'), 'g'),
  number: /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
};
