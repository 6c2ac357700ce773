/**
 * Hashes of the cases in a suite file. A changed hash shows an edited case. The order of fields,
 * comments, layout and the number of trials do not affect the hash.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, caseKeyOfRow, isRecord, type Json } from '@proofmark/domain';

export type HashOfCase = (caseId: string) => string | undefined;

export async function readCaseHashes(content: string): Promise<HashOfCase> {
  const { parseYamlLoosely } = await import('./parse-yaml.ts');
  const suite = parseYamlLoosely(content);
  if (!isRecord(suite) || !Array.isArray(suite['cases'])) return () => undefined;
  const { mode, defaults, cases } = suite;
  const ofSuite = { mode, defaults: isRecord(defaults) ? withoutTrials(defaults) : defaults };
  const found = new Map<string, string>();
  for (const one of cases) {
    if (!isRecord(one) || typeof one['id'] !== 'string' || found.has(one['id'])) continue;
    // `JSON.stringify` converts infinite numbers and NaN to null. `canonicalJson` would throw for
    // them.
    const hashedContent = JSON.parse(JSON.stringify({ ...ofSuite, case: withoutTrials(one) }));
    found.set(one['id'], createHash('sha256').update(canonicalJson(hashedContent)).digest('hex'));
  }
  return (caseId) => found.get(caseId) ?? found.get(caseKeyOfRow(caseId) ?? '');
}

/** Newer suite files call the number of trials `iterations`, older ones `repetitions`. */
function withoutTrials({ repetitions: _, iterations: _alike, trials: _plan, ...others }: Json) {
  return others;
}
