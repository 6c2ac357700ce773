/**
 * The lines of a suite file at which its cases stand, for reports that point into the file.
 */
import { caseKeyOfRow } from '@proofmark/domain';

/** Returns the line of a case by its id, or of the case that a row belongs to. */
export type LineOfCase = (caseId: string) => number | undefined;

export async function readCaseLines(content: string): Promise<LineOfCase> {
  const { LineCounter, isMap, isSeq, parseDocument, quoteCalls } = await import('./parse-yaml.ts');
  const lines = new LineCounter();
  const document = parseDocument(quoteCalls(content), {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    lineCounter: lines,
  });
  const cases = document.get('cases');
  const found = new Map<string, number>();
  for (const one of isSeq(cases) ? cases.items : []) {
    if (!isMap(one)) continue;
    const id = one.items.find(({ key }) => String(key) === 'id');
    const place = rangeOf(id?.key);
    const value = one.get('id');
    if (place === undefined || typeof value !== 'string' || found.has(value)) continue;
    found.set(value, lines.linePos(place).line);
  }
  return (caseId) => found.get(caseId) ?? found.get(caseKeyOfRow(caseId) ?? '');
}

function rangeOf(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly [number, number, number] | null };
  return range?.[0];
}
