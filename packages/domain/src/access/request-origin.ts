/**
 * Two defences of a service in a private place. A page elsewhere may point a name of its own at
 * our address (rebinding): so a Host that is a name must be one we know, while an address literal
 * cannot be rebound and passes. And a page elsewhere may post with the visitor's cookie: so a
 * cookie write must carry an Origin that is ours; none at all is refused too.
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
