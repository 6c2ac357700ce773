import type { Operation } from '@proofmark/contract';
import type { RequestExchange } from './request-exchange.ts';

/** Returns headers that point programs on a deprecated path to its successor. */
export function deprecationHeaders(
  { path }: RequestExchange,
  { older, instead }: NonNullable<Operation['deprecated']>,
): Record<string, string> {
  const successor = path.replace(`/${older}`, `/${instead}`);
  // The path is written by the client. If it has characters that could end the link in the header,
  // the link is left out.
  return /^[\w/.~%-]+$/.test(successor) ? deprecatedFor(successor) : { deprecation: 'true' };
}

export function deprecatedFor(successor: string): Record<string, string> {
  return { deprecation: 'true', link: `<${successor}>; rel="successor-version"` };
}
