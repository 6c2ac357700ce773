/**
 * Ends an answer whose request was not read completely. Closing a connection with unread bytes
 * resets it, so a client that is still writing would see a broken connection instead of the answer.
 * The answer is therefore written completely, and the rest of the body is read and discarded,
 * within limits, before the connection closes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface RestBounds {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * The limits within which the rest of a body is read and discarded. Beyond them, the connection is
 * closed at once.
 */
export const restBounds: RestBounds = { bytes: 256 * 1024 * 1024, ms: 15_000 };

const answered = new WeakSet<Socket>();

export function isAnswered(socket: Socket): boolean {
  return answered.has(socket);
}

/**
 * Writes the body of the answer, and ends it after the request was read. The caller must already
 * have sent the headers, with the length and `connection: close`.
 */
export function endAfterRest(
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
  body: string | Uint8Array,
  bounds: RestBounds = restBounds,
): void {
  const { socket } = incoming;
  answered.add(socket);
  outgoing.write(body);
  let bytes = 0;
  const end = () => {
    clearTimeout(timer);
    incoming.off('data', count);
    // Bytes that arrive after the answer are dropped; Node closes the connection.
    if (!outgoing.writableEnded) outgoing.end();
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bounds.bytes) end();
  };
  const timer = setTimeout(end, bounds.ms);
  incoming.on('data', count).once('end', end).once('close', end).once('error', end);
}
