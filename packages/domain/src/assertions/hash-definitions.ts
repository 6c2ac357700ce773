/** Returns one hash for a set of definitions, independent of their order and labels. */
import { canonicalJson } from '../kernel/canonical-json.ts';

type Sha256 = (text: string) => string;

export function hashDefinition(definition: object, sha256: Sha256): string {
  return sha256(spell(definition));
}

export function hashDefinitions(definitions: readonly object[], sha256: Sha256): string {
  // Sorted by UTF-16 units, like the keys of canonical JSON.
  return sha256(`[${definitions.map(spell).sort().join(',')}]`);
}

function spell({ label: _label, ...definition }: { readonly label?: unknown }): string {
  return canonicalJson(definition);
}
