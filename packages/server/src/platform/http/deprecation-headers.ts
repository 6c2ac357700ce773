import type { Operation } from '@proofmark/contract';
import type { RequestExchange } from './request-exchange.ts';

/** Returns headers that announce the newer path to programs that use an older one. */
export function deprecationHeaders(
  { path }: RequestExchange,
  { older, instead }: NonNullable<Operation['deprecated']>,
): Record<string, string> {
  const successor = path.replace(`/${older}`, `/${instead}`);
  // Text that a client wrote into the path must not end the link.
  return /^[\w/.~%-]+$/.test(successor) ? deprecatedFor(successor) : { deprecation: 'true' };
}

export function deprecatedFor(successor: string): Record<string, string> {
  return { deprecation: 'true', link: `<${successor}>; rel="successor-version"` };
}
