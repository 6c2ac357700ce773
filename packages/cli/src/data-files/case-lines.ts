import { caseKeyOfRow } from '@proofmark/domain';
import { parsePlacedSuite } from './parse-placed-suite.ts';

export type LineOfCase = (caseId: string) => number | undefined;

export async function readCaseLines(content: string): Promise<LineOfCase> {
  const { lineAt, mapsOf } = await parsePlacedSuite(content);
  const found = new Map<string, number>();
  for (const one of mapsOf('cases')) {
    const id = one.items.find(({ key }) => String(key) === 'id');
    const place = rangeOf(id?.key);
    const value = one.get('id');
    if (place === undefined || typeof value !== 'string' || found.has(value)) continue;
    found.set(value, lineAt(place));
  }
  return (caseId) => found.get(caseId) ?? found.get(caseKeyOfRow(caseId) ?? '');
}

function rangeOf(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly [number, number, number] | null };
  return range?.[0];
}
