/**
 * Finds the line of each server in a file, for reports that show a position. Servers are under
 * `target.servers` in a suite, or under `mcpServers` or `servers` in a client's configuration.
 */

export type LineOfServer = (serverName: string) => number | undefined;

export async function readServerLines(content: string): Promise<LineOfServer> {
  const { LineCounter, isMap, isScalar, isSeq, parseDocument, quoteCalls } = await import(
    './parse-yaml.ts'
  );
  const lines = new LineCounter();
  // The YAML parser also reads JSON. For invalid text, no lines are returned.
  const document = parseDocument(quoteCalls(content), {
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    lineCounter: lines,
  });
  const found = new Map<string, number>();
  const add = (name: unknown, place: number | undefined) => {
    if (typeof name === 'string' && place !== undefined && !found.has(name)) {
      found.set(name, lines.linePos(place).line);
    }
  };
  const stated = document.getIn(['target', 'servers']);
  for (const one of isSeq(stated) ? stated.items : []) {
    if (isMap(one)) add(one.get('name'), one.range?.[0]);
  }
  for (const held of ['mcpServers', 'servers']) {
    const named = document.get(held);
    for (const { key } of isMap(named) ? named.items : []) {
      if (isScalar(key)) add(key.value, key.range?.[0]);
    }
  }
  return (serverName) => found.get(serverName);
}
