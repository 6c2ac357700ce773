/** Bytes to a socket as they are, for requests no proper client would send, and all that comes back. */
import { connect } from 'node:net';

export interface RawAnswer {
  readonly text: string;
  /** Whether the other side ended the connection in time. */
  readonly closed: boolean;
  /** How many answers came. */
  readonly answers: number;
}

export function sendRaw(
  url: string,
  bytes: string | Buffer,
  options: { waitMs?: number; drip?: string; everyMs?: number; drips?: number } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    let drip: NodeJS.Timeout | undefined;
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      clearInterval(drip);
      socket.destroy();
      resolve({ text, closed, answers: text.match(/^HTTP\/1\.1 \d{3}/gm)?.length ?? 0 });
    };
    const timer = setTimeout(() => finish(false), options.waitMs ?? 2000);
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
    if (options.drip !== undefined) {
      let left = options.drips ?? Number.POSITIVE_INFINITY;
      drip = setInterval(() => {
        left -= 1;
        if (left >= 0) socket.write(options.drip as string);
      }, options.everyMs ?? 1000);
    }
  });
}
