/**
 * One hash for a set of definitions, the same whatever order they stand in and whatever they are called for people:
 * each is spelled without its label, and the spellings are sorted.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';

type Sha256 = (text: string) => string;

export function hashDefinition(definition: object, sha256: Sha256): string {
  return sha256(spell(definition));
}

export function hashDefinitions(definitions: readonly object[], sha256: Sha256): string {
  // Strings are sorted by their UTF-16 units, as the keys of canonical JSON are.
  return sha256(`[${definitions.map(spell).sort().join(',')}]`);
}

function spell({ label: _label, ...definition }: { readonly label?: unknown }): string {
  return canonicalJson(definition);
}
