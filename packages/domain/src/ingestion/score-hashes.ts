/**
 * Checks whether a set of scores was made with its definitions: every score contains the hash of
 * its scorer's definition, and the set contains the hash of all definitions. Labels are ignored. If
 * any hash differs, the scores were made with other definitions.
 */

import { hashDefinition, hashDefinitions } from '../assertions/hash-definitions.ts';
import { toList } from '../chain/loose-values.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';

type Sha256 = (text: string) => string;

export function scoreHashesHold(
  scores: readonly unknown[],
  evaluationConfig: unknown,
  sha256: Sha256,
): boolean {
  if (!isRecord(evaluationConfig)) return false;
  try {
    const definitions = toList(evaluationConfig['definitions']).filter(isRecord);
    const hashes = new Map(
      definitions.map((one) => [one['scorerId'], hashDefinition(one, sha256)]),
    );
    return (
      scores.every(
        (row) => isRecord(row) && hashes.get(row['scorerId']) === row['definitionHash'],
      ) && isHashOf(evaluationConfig['hash'], definitions, sha256)
    );
  } catch {
    // The definitions are nested too deeply for the canonical form, so they cannot be compared.
    return false;
  }
}

/**
 * Older reporters sort the definitions by scorer, with or without labels. Their hashes are accepted
 * too.
 */
function isHashOf(hash: unknown, definitions: readonly Json[], sha256: Sha256): boolean {
  return (
    hash === hashDefinitions(definitions, sha256) ||
    [definitions, definitions.map(withoutLabel)].some((list) => hash === hashByScorer(list, sha256))
  );
}

function withoutLabel({ label: _label, ...definition }: Json): Json {
  return definition;
}

function hashByScorer(definitions: readonly Json[], sha256: Sha256): string {
  const sorted = [...definitions].sort((one, other) =>
    String(one['scorerId']) < String(other['scorerId']) ? -1 : 1,
  );
  return sha256(canonicalJson(sorted));
}
