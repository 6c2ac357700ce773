/** Lists of texts as PostgreSQL writes them. */
export function writeTextArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

export function readTextArray(array: string): string[] {
  return [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/gs)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replace(/\\(.)/gs, '$1'),
  );
}
