/**
 * Cursors: a position, signed together with its context (the caller, the operation, its parameters,
 * the epoch of the data). A changed cursor, or one from another context, is rejected.
 */
import type { PagePosition } from '@proofmark/domain';
import type { Database } from '../database/database.ts';

type Signer = Pick<Database['vault'], 'sign' | 'verify'>;

export function encodeCursor(signer: Signer, scope: string, position: PagePosition): string {
  const text = Buffer.from(JSON.stringify([position.order, position.id])).toString('base64url');
  return `${text}.${signer.sign('cursor', `${scope}\0${text}`)}`;
}

/**
 * Returns the position. The signature covers the text as sent, so no other encoding of the same
 * bytes passes.
 */
export function decodeCursor(
  signer: Signer,
  scope: string,
  cursor: string,
): PagePosition | undefined {
  const [text, signature, ...rest] = cursor.split('.');
  if (text === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!signer.verify('cursor', `${scope}\0${text}`, signature)) return undefined;
  const [order, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, string];
  return { order, id };
}
