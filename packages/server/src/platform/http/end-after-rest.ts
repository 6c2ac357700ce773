/**
 * Ends an answer whose request was not read to its end. A connection that is closed while bytes of the client are unread is
 * reset, and the reset overtakes the answer: a client that writes everything before it reads would see a broken connection
 * and never the reason. So the answer is written whole, and the connection stays open while the rest of the body arrives
 * and is thrown away, within bounds. The client knows by the length of the answer that it has all of it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface RestBounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Beyond these a client is not sending a body that is too large by mistake. */
export const restBounds: RestBounds = { bytes: 256 * 1024 * 1024, ms: 15_000 };

/** Connections whose answer was written already, so that nothing else may be. */
const answered = new WeakSet<Socket>();

export function isAnswered(socket: Socket): boolean {
  return answered.has(socket);
}

/** The head of the answer was written, with its length and `connection: close`. */
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
    // What still arrives is nobody's; node closes the connection behind the answer.
    if (!outgoing.writableEnded) outgoing.end();
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bounds.bytes) end();
  };
  const timer = setTimeout(end, bounds.ms);
  incoming.on('data', count).once('end', end).once('close', end).once('error', end);
}
