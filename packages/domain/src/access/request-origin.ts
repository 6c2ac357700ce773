/**
 * Two defences for a service on a private network. Against DNS rebinding, the Host header must
 * contain a known name or an IP address. Against cross-site request forgery, a write with a cookie
 * must have the service's own origin in its Origin header.
 */
export function isAllowedHost(host: string | undefined, knownNames: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isAddressLiteral(name)) return true;
  return name === 'localhost' || knownNames.includes(name);
}

export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  knownOrigins: readonly string[],
): boolean {
  if (origin === undefined || host === undefined) return false;
  if (knownOrigins.includes(origin)) return true;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function hostName(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.exec(host ?? '');
  return match?.[1]?.toLowerCase().replace(/\.$/, '');
}

function isAddressLiteral(name: string): boolean {
  return name.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
}
