/** Warns once, at the first request through a proxy that is not trusted. */
import ipaddr from 'ipaddr.js';
import { type AddressedRequest, isPassedOn, type Network } from './client-address.ts';

export function watchPassedOn(
  trusted: readonly Network[],
  log: { warn(fields: object, sentence: string): void },
): (request: AddressedRequest) => void {
  let isWarned = false;
  return (request) => {
    if (isWarned || !isPassedOn(request, trusted)) return;
    isWarned = true;
    log.warn(proxyFields(request), untrustedProxy);
  };
}

export const untrustedProxy =
  'Requests come through a proxy that is not trusted, so all its visitors count as one address. Set PROOFMARK_TRUSTED_PROXIES to the address of the proxy.';

/**
 * Returns the address only if it is not public: anybody on the internet can send the headers of a
 * proxy, and the log stores no address of a person.
 */
function proxyFields({ socket }: AddressedRequest): { readonly proxy?: string } {
  const proxy = (socket.remoteAddress ?? '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(proxy)) return {};
  return ipaddr.process(proxy).range() === 'unicast' ? {} : { proxy };
}
