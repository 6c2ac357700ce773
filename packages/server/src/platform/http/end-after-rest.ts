/**
 * Ends an answer whose request was not read completely. A connection that is closed with unread
 * bytes is reset, and the reset overtakes the answer: a client that writes everything before it
 * reads would see a broken connection and never the reason. So the answer is written completely,
 * and the connection stays open while the rest of the body is read and discarded, within bounds.
 * The length of the answer shows the client where it ends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface RestBounds {
  readonly bytes: number;
  readonly ms: number;
}

/** A client that exceeds these bounds did not send a large body by mistake. */
export const restBounds: RestBounds = { bytes: 256 * 1024 * 1024, ms: 15_000 };

/** Connections whose answer is already written, so nothing else may be written. */
const answered = new WeakSet<Socket>();

export function isAnswered(socket: Socket): boolean {
  return answered.has(socket);
}

/**
 * Writes the body. The head of the answer was sent before, with its length and `connection: close`.
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
    // Later bytes are dropped; node closes the connection after the answer.
    if (!outgoing.writableEnded) outgoing.end();
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bounds.bytes) end();
  };
  const timer = setTimeout(end, bounds.ms);
  incoming.on('data', count).once('end', end).once('close', end).once('error', end);
}
