import type { Operation } from '@proofmark/contract';
import type { RequestExchange } from './request-exchange.ts';

/** Returns headers that tell programs which use an older path about the newer one. */
export function deprecationHeaders(
  { path }: RequestExchange,
  { older, instead }: NonNullable<Operation['deprecated']>,
): Record<string, string> {
  const successor = path.replace(`/${older}`, `/${instead}`);
  // The client wrote the path. If the path has characters that could end the link in the header,
  // the link is left out.
  return /^[\w/.~%-]+$/.test(successor) ? deprecatedFor(successor) : { deprecation: 'true' };
}

export function deprecatedFor(successor: string): Record<string, string> {
  return { deprecation: 'true', link: `<${successor}>; rel="successor-version"` };
}
