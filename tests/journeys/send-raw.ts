import { connect } from 'node:net';

export interface RawAnswer {
  readonly text: string;
  readonly closed: boolean;
  readonly answers: number;
}

export interface SendRawOptions {
  readonly waitMs?: number;
  /** The number of started answers after which the wait ends. */
  readonly until?: number;
  readonly drip?: string;
  readonly everyMs?: number;
  readonly drips?: number;
}

export function sendRaw(
  url: string,
  bytes: string | Buffer,
  options: SendRawOptions = {},
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
      resolve({ text, closed, answers: countAnswers(text) });
    };
    const timer = setTimeout(() => finish(false), options.waitMs ?? 2000);
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      text += String(part);
      if (options.until !== undefined && countAnswers(text) >= options.until) finish(false);
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

function countAnswers(text: string): number {
  // Not anchored to the start of a line, since a pipelined answer directly follows the previous
  // body.
  return text.match(/HTTP\/1\.\d \d{3} /g)?.length ?? 0;
}
