/**
 * An answer in lines, one JSON document each: `{"progress":…}` for what is known already, and at the end `{"result":…}`
 * or `{"error":…}`. A refusal before the first line is answered like every other.
 */
import type { ActionContext } from '../actions/action.ts';
import { refusalBody, refusalOf } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { HttpOptions } from './http-options.ts';
import { jsonHeaders, securityHeadersFor } from './security-headers.ts';

export const linesType = 'application/x-ndjson';

export function wantsLines(exchange: Exchange): boolean {
  return (exchange.header('accept') ?? '').toLowerCase().includes(linesType);
}

export async function streamedAnswer(
  exchange: Exchange,
  options: HttpOptions,
  work: (progress: ActionContext['progress']) => Promise<unknown>,
): Promise<undefined> {
  const { outgoing, requestId } = exchange;
  const send = (line: object) => {
    if (!outgoing.headersSent) {
      const headers = jsonHeaders(securityHeadersFor(options.publicUrl), requestId);
      outgoing.writeHead(200, { ...headers, 'content-type': linesType });
    }
    outgoing.write(`${JSON.stringify(line)}\n`);
  };
  try {
    send({ result: await work((progress) => send({ progress })) });
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    send({ error: refusalBody(refusalOf(exchange, error, options.log)) });
  }
  outgoing.end();
  return undefined;
}
