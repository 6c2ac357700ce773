/**
 * The tools of a server in one spelling, by which a change is noticed. Everything a tool says counts, down to
 * its `_meta`; the order in which the server lists its tools, and that of their fields, does not. Tools can be spelled
 * one at a time, so that whoever has many can do something else in between.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';

export function canonicalToolSurface(tools: readonly Readonly<Record<string, unknown>>[]): string {
  return joinToolSurface(tools.map(spellTool));
}

export interface SpelledTool {
  readonly name: string;
  readonly text: string;
}

/** Throws a TypeError where the tool holds something that JSON cannot say. */
export function spellTool(tool: Readonly<Record<string, unknown>>): SpelledTool {
  return { name: String(tool['name']), text: canonicalJson(tool) };
}

export function joinToolSurface(spelled: readonly SpelledTool[]): string {
  const inOrder = [...spelled].sort(
    (one, other) => compare(one.name, other.name) || compare(one.text, other.text),
  );
  return `[${inOrder.map(({ text }) => text).join(',')}]`;
}

/** By UTF-16 units, which is the same on every machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
