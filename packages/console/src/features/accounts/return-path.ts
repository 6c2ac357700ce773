/**
 * Returns the path to open after sign-in. Returns the start page for the sign-in page itself, and
 * for paths that a browser reads as another host (`//host`, `/\host`).
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
