import type { QuarantineToRender } from '@proofmark/report';
import { parsePlacedSuite } from './parse-placed-suite.ts';

type PlaceOf = NonNullable<QuarantineToRender['placeOf']>;

export async function readQuarantinePlaces({
  file,
  content,
}: {
  readonly file: string;
  readonly content: string;
}): Promise<PlaceOf> {
  const { lineAt, mapsOf } = await parsePlacedSuite(content);
  const found = new Map<string, number>();
  for (const one of mapsOf('quarantine')) {
    if (!one.range) continue;
    const key = JSON.stringify([one.get('case'), one.get('model') ?? null]);
    found.set(key, lineAt(one.range[0]));
  }
  return ({ caseId, model }) => {
    const line = found.get(JSON.stringify([caseId, model]));
    return line === undefined ? undefined : `${file}:${line}`;
  };
}
