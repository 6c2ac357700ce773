/**
 * Servers with hostile response bodies: some expand enormously when decompressed or read, others
 * are needlessly large.
 */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import {
  type Exchange,
  everyStep,
  type HostileMode,
  invalid,
  streamForever,
  tooLarge,
} from './hostile-mode.ts';

const mebibyte = Buffer.alloc(1024 * 1024, 'a');

export const bodies = {
  hugeBody: {
    steps: everyStep,
    misbehave: ({ response, signal, ...rest }: Exchange) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': 1024 * mebibyte.length,
      });
      return streamForever({ response, signal, ...rest }, () => mebibyte);
    },
    expected: tooLarge,
  },
  hugeBodyWithoutLength: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'application/json' });
      return streamForever(exchange, () => mebibyte);
    },
    expected: tooLarge,
  },
  hugeErrorBody: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      exchange.response.writeHead(500, { 'content-type': 'text/plain' });
      return streamForever(exchange, () => mebibyte);
    },
    expected: [tooLarge, { status: 502, code: 'SERVER_UNREACHABLE' }],
  },
  gzipBomb: bomb('gzip', () => {
    // A gzip file may consist of many members: here a thousand, each of 1 MiB when decompressed.
    const member = gzipSync(mebibyte, { level: 9 });
    return Buffer.concat(Array.from({ length: 1024 }, () => member));
  }),
  deflateBomb: bomb('deflate', () => deflateSync(Buffer.alloc(128 * 1024 * 1024), { level: 1 })),
  brotliBomb: bomb('br', () =>
    brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    }),
  ),
  chainedEncodings: {
    steps: everyStep,
    misbehave: ({ response }: Exchange) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': Array.from({ length: 1000 }, () => 'gzip').join(', '),
      });
      response.end(gzipSync('{}'));
    },
    expected: invalid,
  },
  falseEncoding: {
    steps: everyStep,
    misbehave: ({ response }: Exchange) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end('this is not gzip');
    },
    expected: invalid,
  },
} satisfies Record<string, HostileMode>;

function bomb(encoding: string, make: () => Buffer): HostileMode {
  let made: Buffer | undefined;
  return {
    steps: everyStep,
    misbehave: ({ response }) => {
      made ??= make();
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': encoding,
      });
      response.end(made);
    },
    expected: tooLarge,
  };
}
