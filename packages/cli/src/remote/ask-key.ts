/**
 * Reads an API key from standard input: typed without echo at a terminal, otherwise from the pipe.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as readStream } from 'node:stream/consumers';
import { UsageProblem } from './exit-codes.ts';

export async function askKey(
  url: string,
  input: NodeJS.ReadStream = process.stdin,
): Promise<string> {
  const given = input.isTTY
    ? await typedUnseen(`API key of ${url}: `, input)
    : await readStream(input);
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageProblem(
    'There is no API key: type it, pipe it in, or set PROOFMARK_API_KEY; the console makes one.',
  );
}

function typedUnseen(question: string, input: NodeJS.ReadStream): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  return new Promise((resolve) => {
    let typed = '';
    lines.once('line', (line) => {
      typed = line;
      lines.close();
    });
    // Ctrl+C and the end of the input also emit `close`. The key is then empty.
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve(typed);
    });
  });
}
