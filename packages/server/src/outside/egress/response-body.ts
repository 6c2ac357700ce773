import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Deadline } from '@proofmark/domain';
import { EgressRefused } from './egress-refused.ts';
import { explainFailure } from './explain-failure.ts';

export const acceptedEncodings = 'gzip, br';

/**
 * Returns the decoded body with a size limit. Bytes are counted after decompression and read only
 * on demand, so a decompression bomb uses no more memory than the limit. Several encodings in one
 * body are rejected, because each one multiplies the effect.
 */
export function decodedBody(
  source: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
  lifetime: Deadline,
): ReadableStream<Uint8Array> {
  const decoder = decoderOf(contentEncoding);
  const readable = decoder === undefined ? source : pipeline(source, decoder, () => undefined);
  // An aborted body emits an error even if nobody reads it, and an unhandled error would end the
  // process.
  readable.on('error', () => undefined);
  const chunks: AsyncIterator<Uint8Array> = readable[Symbol.asyncIterator]();
  let bytes = 0;
  const giveUp = () => {
    lifetime.end();
    readable.destroy();
    source.destroy();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done === true) {
            lifetime.end();
            controller.close();
            return;
          }
          bytes += next.value.byteLength;
          if (bytes > maxBytes) throw new EgressRefused('RESPONSE_TOO_LARGE');
          controller.enqueue(new Uint8Array(next.value));
        } catch (error) {
          giveUp();
          throw lifetime.signal.aborted ? lifetime.signal.reason : explainFailure(error);
        }
      },
      cancel: giveUp,
    },
    { highWaterMark: 0 },
  );
}

function decoderOf(contentEncoding: string | undefined): Transform | undefined {
  switch (contentEncoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new EgressRefused(
        'INVALID_RESPONSE',
        'The server sent an answer in an encoding that Proofmark does not accept.',
      );
  }
}
