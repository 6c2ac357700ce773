/** Reads a JSON body up to its limit. A larger body is rejected without being held in memory. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { invalid, Refused } from '@proofmark/domain';
import { jsonProblem } from './json-problem.ts';

export async function readJsonBody(
  request: IncomingMessage,
  limitBytes: number,
  allowed: { readonly anyText?: boolean } = {},
): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    refuse('header.content-type', 'The body must be JSON with Content-Type application/json.');
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    refuse('header.content-encoding', 'The body must not be compressed.');
  }
  const text = await readText(request, limitBytes);
  const value = parse(text);
  const problem = jsonProblem(value, allowed);
  if (problem !== undefined) refuse(problem.path, problem.message);
  return value;
}

async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const bytes = await readBytes(request, limitBytes);
  if (!isUtf8(bytes)) return refuse('body', 'The body is not valid UTF-8.');
  const text = bytes.toString();
  // Removes the byte order mark that some tools write, since it is not part of the JSON text.
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Rejects a body that is larger than the limit. */
export async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) refuseTooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The request must not be destroyed when reading stops, because its connection is needed for
    // the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > limitBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch {
    // The client disconnected or sent a wrong length, so this is an error of the client and not of
    // the service.
    refuse('body', 'The body ended before it was complete.');
  }
  if (size > limitBytes) refuseTooLarge(limitBytes);
  return Buffer.concat(chunks);
}

function refuseTooLarge(limitBytes: number): never {
  return refuse('body', `The body is larger than ${limitBytes} bytes.`, { limitBytes });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('body', 'The body is not valid JSON.');
  }
}

function refuse(path: string, message: string, details?: Record<string, unknown>): never {
  // The connection is closed, so that the unread rest of the body is not parsed as the next
  // request.
  throw new Refused(invalid(path, message, details), { connection: 'close' });
}
