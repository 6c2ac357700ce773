/** Parses a suite file for the lines of its parts; mistakes are reported elsewhere. */
export async function parsePlacedSuite(content: string) {
  const { LineCounter, isMap, isSeq, parseDocument, quoteCalls } = await import('./parse-yaml.ts');
  const lines = new LineCounter();
  const document = parseDocument(quoteCalls(content), {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    lineCounter: lines,
  });
  return {
    lineAt: (offset: number) => lines.linePos(offset).line,
    /** Returns the maps of a list at the top of the file. */
    mapsOf(key: string) {
      const list = document.get(key);
      return isSeq(list) ? list.items.filter(isMap) : [];
    },
  };
}
