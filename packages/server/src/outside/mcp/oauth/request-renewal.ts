/**
 * Sends one request to the token endpoint that was fixed at the import. Redirects are not followed,
 * because they would receive the secrets. An error is reduced to one word, because answers of token
 * endpoints may quote the request.
 */
import { type IssuedTokens, readTokenAnswer, readTokenRefusal } from '@proofmark/domain';
import type { GrantRenewal } from './grant-store.ts';
import { readSmallJson } from './read-small-json.ts';

export type RenewalAnswer =
  | { readonly kind: 'issued'; readonly tokens: IssuedTokens }
  | { readonly kind: 'over' }
  | { readonly kind: 'failed' };

export async function requestRenewal(
  fetch: typeof globalThis.fetch,
  renewal: GrantRenewal,
  refreshToken: string,
  timeoutMs: number,
): Promise<RenewalAnswer> {
  try {
    const response = await fetch(renewal.tokenEndpoint, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...messageOf(renewal, refreshToken),
    });
    const document = await readSmallJson(response);
    if (!response.ok) return { kind: readTokenRefusal(response.status, document) };
    const tokens = readTokenAnswer(document);
    return tokens === undefined ? { kind: 'failed' } : { kind: 'issued', tokens };
  } catch {
    return { kind: 'failed' };
  }
}

function messageOf(
  renewal: GrantRenewal,
  refreshToken: string,
): { headers: Record<string, string>; body: string } {
  const { clientId, clientSecret, clientAuthentication, resource } = renewal;
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  if (resource !== null) form.set('resource', resource);
  const hasSecret = clientSecret !== undefined && clientId !== null;
  if (hasSecret && clientAuthentication === 'client_secret_basic') {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    if (clientId !== null) form.set('client_id', clientId);
    if (hasSecret && clientAuthentication === 'client_secret_post') {
      form.set('client_secret', clientSecret);
    }
  }
  return { headers, body: form.toString() };
}

/** OAuth requires that user and password of basic authentication are form-encoded. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
