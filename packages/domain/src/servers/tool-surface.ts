/**
 * The tools of a server in one spelling, by which a change is noticed. Everything a tool says counts, down to
 * its `_meta`; the order in which the server lists its tools, and that of their fields, does not.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';

export function canonicalToolSurface(tools: readonly Readonly<Record<string, unknown>>[]): string {
  const spelled = tools.map((tool) => ({ name: String(tool['name']), text: canonicalJson(tool) }));
  spelled.sort((one, other) => compare(one.name, other.name) || compare(one.text, other.text));
  return `[${spelled.map(({ text }) => text).join(',')}]`;
}

/** By UTF-16 units, which is the same on every machine. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
