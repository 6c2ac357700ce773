/**
 * Cookies that scripts cannot read. If another site causes a request, browsers send the cookies
 * only when a link is followed.
 */
import type { RequestExchange } from './request-exchange.ts';

export function readCookie(exchange: RequestExchange, name: string): string | undefined {
  for (const pair of (exchange.header('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export function writeCookie(
  exchange: RequestExchange,
  name: string,
  value: string,
  kept: { readonly path: string; readonly secure: boolean; readonly maxAgeSeconds: number },
): void {
  const secure = kept.secure ? '; Secure' : '';
  exchange.setCookie(
    `${name}=${value}; Max-Age=${kept.maxAgeSeconds}; Path=${kept.path}; HttpOnly${secure}; SameSite=Lax`,
  );
}

export function clearCookie(exchange: RequestExchange, name: string, path: string): void {
  exchange.setCookie(`${name}=; Max-Age=0; Path=${path}`);
}
