/**
 * The tools of a server in canonical form, so that any change changes the text. Every field of a
 * tool counts, including `_meta`; the order of tools and fields does not. Tools can be serialized
 * one at a time, so that a caller with many tools can yield in between.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';

export function canonicalToolSurface(tools: readonly Readonly<Record<string, unknown>>[]): string {
  return joinToolSurface(tools.map(spellTool));
}

export interface SpelledTool {
  readonly name: string;
  readonly text: string;
}

/** Throws a TypeError for a value that JSON cannot express. */
export function spellTool(tool: Readonly<Record<string, unknown>>): SpelledTool {
  return { name: String(tool['name']), text: canonicalJson(tool) };
}

export function joinToolSurface(spelled: readonly SpelledTool[]): string {
  const inOrder = [...spelled].sort(
    (one, other) => compare(one.name, other.name) || compare(one.text, other.text),
  );
  return `[${inOrder.map(({ text }) => text).join(',')}]`;
}

/** Compares UTF-16 units, so the order is the same on every machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
