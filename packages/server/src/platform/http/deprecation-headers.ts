import type { Operation } from '@proofmark/contract';
import type { RequestExchange } from './request-exchange.ts';

/** Tells programs that use an older path, with every answer, that there is a newer one, and which. */
export function deprecationHeaders(
  { path }: RequestExchange,
  { older, instead }: NonNullable<Operation['deprecated']>,
): Record<string, string> {
  const successor = path.replace(`/${older}`, `/${instead}`);
  // What a client wrote into the path must not end the link.
  return /^[\w/.~%-]+$/.test(successor) ? deprecatedFor(successor) : { deprecation: 'true' };
}

export function deprecatedFor(successor: string): Record<string, string> {
  return { deprecation: 'true', link: `<${successor}>; rel="successor-version"` };
}
