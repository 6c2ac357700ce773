/**
 * Returns a host in the form used for comparisons: in lower case, without the brackets of a v6
 * address and without trailing dots.
 */
export function normalizedHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
}

export function isLoopbackName(plain: string): boolean {
  return plain === 'localhost' || plain.endsWith('.localhost');
}
