/**
 * What a token endpoint answered, as far as it can be used. An answer is taken whole or not at all: half a
 * token is worse than none, because the refresh token may have been used up for it.
 */
import * as z from 'zod';
import { isCleanText } from './is-clean-text.ts';

export interface IssuedTokens {
  readonly accessToken: string;
  /** Absent where the one that was used stays good. */
  readonly refreshToken?: string;
  /** Absent where the endpoint does not say. */
  readonly expiresInSeconds?: number;
  readonly scope?: string;
}

export function readTokenAnswer(document: unknown): IssuedTokens | undefined {
  const parsed = TokenAnswer.safeParse(document);
  if (!parsed.success) return undefined;
  const { access_token, refresh_token, expires_in, scope } = parsed.data;
  return {
    accessToken: access_token,
    ...(refresh_token && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresInSeconds: expires_in }),
    ...(scope && { scope }),
  };
}

/** `over`: the grant is gone for good. Everything else may be different the next time. */
export function readTokenRefusal(status: number, document: unknown): 'over' | 'failed' {
  const parsed = TokenRefusal.safeParse(document);
  const isRefusal = status >= 400 && status < 500 && parsed.success;
  return isRefusal && parsed.data.error === 'invalid_grant' ? 'over' : 'failed';
}

/** A token is sent in a header as it is, so it holds nothing but visible ASCII. */
export function isSendableToken(token: string): boolean {
  return sendable.test(token);
}

const sendable = /^[\x21-\x7e]{1,65536}$/;

const TokenAnswer = z.object({
  access_token: z.string().regex(sendable),
  token_type: z
    .string()
    .refine((type) => type.toLowerCase() === 'bearer')
    .optional(),
  refresh_token: z.string().max(65_536).nullish(),
  // Some endpoints write the number as text, and one that makes no sense is as good as none.
  expires_in: z.coerce.number().nonnegative().optional().catch(undefined),
  // Tokens are not given up for a scope that cannot be kept: the one known before stays.
  scope: z.string().max(8192).refine(isCleanText).nullish().catch(undefined),
});

const TokenRefusal = z.object({ error: z.string() });
