/**
 * Sends a request whose response is a stream of lines: `{"progress":…}` any number of times, then
 * `{"result":…}` or `{"error":…}`. The request is retried only before its first line, because later
 * it may have had an effect.
 */
import { type ErrorBody, errorStatus } from '@proofmark/contract';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { openAnswer, parseAnswer, sendWithRetries } from './send.ts';

export type Progress = Readonly<Record<string, unknown>>;

const lines = 'application/x-ndjson';

export async function watchRequest(
  options: ClientOptions,
  request: { readonly method: string; readonly url: string; readonly body: unknown },
  call: CallOptions,
  onProgress: (progress: Progress) => void,
): Promise<unknown> {
  const sending = { ...request, accept: `${lines}, application/json;q=0.9` };
  const response = await sendWithRetries(options, sending, call, openAnswer);
  const inLines = response.headers.get('content-type')?.startsWith(lines) ?? false;
  let whole = '';
  for await (const line of linesOf(response, request.url, call.signal)) {
    if (!inLines) {
      whole += line;
      continue;
    }
    if (line.trim() === '') continue;
    const parsed = Object(parseAnswer(response.status, line)) as Line;
    if (parsed.error !== undefined) throw errorOf(parsed.error);
    if ('result' in parsed) return parsed.result;
    if (parsed.progress !== undefined) onProgress(parsed.progress);
  }
  if (!inLines) return parseAnswer(response.status, whole);
  throw new ConnectionError(
    request.url,
    new Error('The stream of the service ended without a result.'),
  );
}

interface Line {
  readonly progress?: Progress;
  readonly result?: unknown;
  readonly error?: Partial<ErrorBody>;
}

function errorOf(body: Partial<ErrorBody>): ApiError {
  const status = body.code === undefined ? 500 : (errorStatus[body.code] ?? 500);
  return new ApiError(status, body, undefined);
}

/**
 * Each chunk is searched only once. Searching the whole buffer for every chunk would make one long
 * line quadratic.
 */
async function* linesOf(
  response: Response,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let open: string[] = [];
  try {
    while (reader !== undefined) {
      const { done, value } = await read(reader, url, signal);
      const [first = '', ...others] = decoder.decode(value, { stream: !done }).split('\n');
      open.push(first);
      for (const next of others) {
        yield open.join('');
        open = [next];
      }
      if (done) break;
    }
    yield open.join('');
  } finally {
    // The caller stops reading after the result. Cancelling the reader closes the connection.
    await reader?.cancel().catch(() => undefined);
  }
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<{ done: boolean; value?: Uint8Array | undefined }> {
  try {
    return await reader.read();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ConnectionError(url, cause);
  }
}
