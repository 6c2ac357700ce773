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
    mapsOf(key: string) {
      const list = document.get(key);
      return isSeq(list) ? list.items.filter(isMap) : [];
    },
  };
}
