/**
 * Writes a small stdio server in plain JavaScript to a file. In the body, `answer(method, give)`
 * defines the response to a method.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function stdioProgram(
  directory: string,
  body: string,
): Promise<{ readonly command: string; readonly args: string[] }> {
  const file = join(directory, `server-${Math.random()}.mjs`);
  await writeFile(file, `${runtime}\n${body}\n`);
  return { command: process.execPath, args: [file] };
}

const runtime = `
const answers = new Map();
const answer = (method, give) => answers.set(method, give);
answer('initialize', () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }));
let text = '';
process.stdin.setEncoding('utf8').on('data', (part) => {
  text += part;
  const lines = text.split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    const give = answers.get(method);
    const result = give?.();
    const said = give === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
    if (give === undefined || result !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...said }) + '\\n');
  }
}).on('end', () => answers.has('stay') || process.exit(0));
`;
