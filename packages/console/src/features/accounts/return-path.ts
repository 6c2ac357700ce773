/**
 * Where to go after signing in. Only a path of this console: an address that a browser would read
 * as another host (`//host`, `/\host`) or the sign-in page itself leads to the start instead.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return start;
  const here = 'http://console.invalid';
  if (!URL.canParse(wanted, here)) return start;
  const url = new URL(wanted, here);
  if (url.origin !== here || url.pathname.startsWith('//')) return start;
  if (url.pathname === '/' || url.pathname === '/sign-in') return start;
  return url.pathname + url.search + url.hash;
}

const start = '/';
