/**
 * The hashes of the cases of a suite file, by which a case that was edited between two tests is
 * recognised. The order of fields, comments and layout do not matter, and neither does the number
 * of trials, which is no part of what is tested.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, caseKeyOfRow, isRecord, type Json } from '@proofmark/domain';

/** Returns the hash of a case by its id, or of the case that a row belongs to. */
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
    // JSON turns a number that is not finite into null, where canonical JSON would throw.
    const said = JSON.parse(JSON.stringify({ ...ofSuite, case: withoutTrials(one) }));
    found.set(one['id'], createHash('sha256').update(canonicalJson(said)).digest('hex'));
  }
  return (caseId) => found.get(caseId) ?? found.get(caseKeyOfRow(caseId) ?? '');
}

/** The number of trials is called `iterations` in the newer of the two dialects. */
function withoutTrials({ repetitions: _, iterations: _alike, trials: _plan, ...others }: Json) {
  return others;
}
