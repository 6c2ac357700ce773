/**
 * Reads the answer of a token endpoint. An answer with an invalid required field is rejected as a
 * whole. Otherwise tokens could be stored without their new refresh token and never be renewed,
 * since the old refresh token may be used up.
 */
import * as z from 'zod';
import { isCleanText } from './is-clean-text.ts';

export interface IssuedTokens {
  readonly accessToken: string;
  /** The new refresh token; absent if the refresh token that was used stays valid. */
  readonly refreshToken?: string;
  /** Absent if the endpoint does not state the lifetime. */
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

/** Returns `over` if the grant will never work again; any other failure may be temporary. */
export function readTokenRefusal(status: number, document: unknown): 'over' | 'failed' {
  const parsed = TokenRefusal.safeParse(document);
  const isRefusal = status >= 400 && status < 500 && parsed.success;
  return isRefusal && parsed.data.error === 'invalid_grant' ? 'over' : 'failed';
}

/** A token must be visible ASCII, since it is sent unchanged in a header. */
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
  // Some endpoints send the number as text; an unreadable value is treated as absent.
  expires_in: z.coerce.number().nonnegative().optional().catch(undefined),
  // A scope that cannot be stored is ignored, and the earlier scope stays.
  scope: z.string().max(8192).refine(isCleanText).nullish().catch(undefined),
});

const TokenRefusal = z.object({ error: z.string() });
