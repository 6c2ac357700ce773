/**
 * The client-chosen key of a request that must not take effect twice: printable ASCII, at most 256
 * characters, without spaces at the ends.
 */
import * as z from 'zod';

export const IdempotencyKey = z
  .string()
  .trim()
  .regex(/^[\x20-\x7e]{1,256}$/, 'An idempotency key is 1 to 256 printable ASCII characters.');
