import type { EgressPolicy } from './address-policy.ts';
import { entryOf } from './allow-list.ts';

/**
 * The policy for calls to an address that stands in the operator's own settings: callers choose no address there, so its
 * host and port count as listed, also on this machine; metadata services and own ports stay refused.
 */
export function forOperatorsAddress(address: string, egress: EgressPolicy): EgressPolicy {
  const listed = [...egress.allowedPrivateHosts, entryOf(new URL(address))];
  return { ...egress, allowedPrivateHosts: listed };
}
