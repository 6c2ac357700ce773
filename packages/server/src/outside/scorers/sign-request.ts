/**
 * How a scorer knows that a request is ours and not an old one: the moment it was sent, and an HMAC over that moment and
 * the body, under the secret of the project as it was shown.
 */
import { createHmac } from 'node:crypto';

export const signatureHeader = 'Proofmark-Signature';

export function signRequest(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
