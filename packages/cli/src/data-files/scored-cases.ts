/**
 * Finds the cases of a suite file that an own scorer grades. Their results may differ from trial to
 * trial, with every model.
 */
import { caseKeyOfRow, isRecord } from '@proofmark/domain';

export type AsksScorer = (caseId: string) => boolean;

export async function readScoredCases(content: string): Promise<AsksScorer> {
  const { parseYamlLoosely } = await import('./parse-yaml.ts');
  const suite = parseYamlLoosely(content);
  if (!isRecord(suite)) return () => false;
  const { cases, ...ofSuite } = suite;
  if (hasScorer(ofSuite)) return () => true;
  const scored = (Array.isArray(cases) ? cases.filter(isRecord) : []).filter(hasScorer);
  const ids = new Set(scored.map(({ id }) => id));
  // A case without an id cannot be found again, so it could be any.
  if (ids.has(undefined)) return () => true;
  return (caseId) => ids.has(caseId) || ids.has(caseKeyOfRow(caseId) ?? caseId);
}

function hasScorer(stated: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [stated];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    // YAML aliases can repeat a value or make it contain itself.
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if ((one as { readonly type?: unknown }).type === 'scorer') return true;
    open.push(...Object.values(one).filter((value) => typeof value === 'object'));
  }
  return false;
}
