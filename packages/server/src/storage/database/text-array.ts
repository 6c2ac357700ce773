/**
 * Lists of texts as PostgreSQL writes them. The driver could ask the server for its array types on
 * every new connection, but a connection that is cut at that moment would end the whole process; we
 * have one array type, so we say it ourselves.
 */
export const textArray = {
  to: 1009,
  from: [1009],
  serialize: (texts: readonly string[]): string =>
    `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`,
  parse: (array: string): string[] =>
    [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/gs)].map(([whole, quoted]) =>
      quoted === undefined ? whole : quoted.replace(/\\(.)/gs, '$1'),
    ),
};
