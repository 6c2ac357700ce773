/**
 * Returns random bytes for one id of an object or a request. They are generated for many ids at a
 * time, since generating them singly costs more than using them.
 */
import { randomFillSync } from 'node:crypto';

const drawn = new Uint8Array(10 * 400);
let used = drawn.length;

export function tenRandomBytes(): Uint8Array {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 10;
  return drawn.subarray(used - 10, used);
}
