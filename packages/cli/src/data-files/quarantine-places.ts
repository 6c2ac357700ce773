/** Where the entries of a quarantine stand in a suite file, so that a message can name the line. */
import type { QuarantineToRender } from '@proofmark/report';

type PlaceOf = NonNullable<QuarantineToRender['placeOf']>;

export async function readQuarantinePlaces({
  file,
  content,
}: {
  readonly file: string;
  readonly content: string;
}): Promise<PlaceOf> {
  const { LineCounter, isMap, isSeq, parseDocument, quoteCalls } = await import('./parse-yaml.ts');
  const lines = new LineCounter();
  const document = parseDocument(quoteCalls(content), {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    lineCounter: lines,
  });
  const entries = document.get('quarantine');
  const found = new Map<string, number>();
  for (const one of isSeq(entries) ? entries.items : []) {
    if (!isMap(one) || !one.range) continue;
    const key = JSON.stringify([one.get('case'), one.get('model') ?? null]);
    found.set(key, lines.linePos(one.range[0]).line);
  }
  return ({ caseId, model }) => {
    const line = found.get(JSON.stringify([caseId, model]));
    return line === undefined ? undefined : `${file}:${line}`;
  };
}
