/**
 * HMAC-SHA-256 with the two blocks of the key made ahead. Every request with a key is hashed twice; two hashes in
 * one call each cost a third of what a stream of the same costs, and handing digests on as text less than
 * as buffers.
 */
import { type BinaryToTextEncoding, hash } from 'node:crypto';

export type KeyedHash = (text: string, encoding: BinaryToTextEncoding) => string;

export function keyedHash(key: Buffer): KeyedHash {
  if (key.length > blockBytes) throw new RangeError(`A key has at most ${blockBytes} bytes.`);
  // Both are used again and again: nothing waits between writing behind the block and hashing.
  const inner = Buffer.alloc(blockBytes + roomBytes);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  padded(key, 0x36).copy(inner);
  padded(key, 0x5c).copy(outer);
  return (text, encoding) => {
    outer.write(hash('sha256', withText(inner, text), 'binary'), blockBytes, 'latin1');
    return hash('sha256', outer, encoding);
  };
}

const blockBytes = 64;
const digestBytes = 32;
const roomBytes = 192;

function withText(block: Buffer, text: string): Uint8Array {
  // Three bytes are the most that a character of a string takes.
  if (text.length * 3 > roomBytes) {
    return Buffer.concat([block.subarray(0, blockBytes), Buffer.from(text)]);
  }
  return block.subarray(0, blockBytes + block.write(text, blockBytes));
}

function padded(key: Buffer, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  key.copy(block);
  return block.map((byte) => byte ^ pad) as Buffer;
}
