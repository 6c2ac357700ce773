/**
 * Returns a host in the form for comparison: in lower case, without the brackets of a v6 address
 * and without dots at its end.
 */
export function normalizedHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
}

/** Returns whether a name can mean nothing but this machine. */
export function isLoopbackName(plain: string): boolean {
  return plain === 'localhost' || plain.endsWith('.localhost');
}
