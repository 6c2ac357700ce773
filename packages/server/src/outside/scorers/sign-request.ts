/**
 * Signs requests, so that a scorer can verify that a request is recent and comes from Proofmark.
 * The signature contains the time of sending and an HMAC over that time and the body. Its key is
 * the project's secret as displayed to the user.
 */
import { createHmac } from 'node:crypto';

export const signatureHeader = 'Proofmark-Signature';

export function signRequest(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
