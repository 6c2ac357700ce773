/** Streams the answer of the library, with the headers of every answer. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpOptions } from '../http-options.ts';
import type { Answer, RequestExchange } from '../request-exchange.ts';
import { jsonHeaders, securityHeadersFor } from '../security-headers.ts';

export async function sendResponse(
  { outgoing, requestId }: RequestExchange,
  { publicUrl }: HttpOptions,
  response: Response,
): Promise<Answer | undefined> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return { status: response.status, body: null };
  if (!type.startsWith('text/event-stream'))
    return { status: response.status, body: await response.text(), ...(type !== '' && { type }) };
  outgoing.writeHead(response.status, {
    ...jsonHeaders(securityHeadersFor(publicUrl), requestId),
    'content-type': type,
    // A proxy that buffers lines would hold back those that keep the stream open.
    'x-accel-buffering': 'no',
  });
  // A client that disconnects before the end cancels the call; there is nobody left to inform.
  await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
  return undefined;
}
