/** Lists as PostgreSQL writes them. Quotes around a number are allowed, so all elements are written alike. */
export function writeArray(elements: readonly (string | number)[]): string {
  return `{${elements.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

export function readTextArray(array: string): string[] {
  return [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/gs)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replace(/\\(.)/gs, '$1'),
  );
}
