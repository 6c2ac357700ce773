import type { EgressPolicy } from './address-policy.ts';
import { entryOf } from './allow-list.ts';

/**
 * Returns a policy that also allows this address from the operator's settings. Callers of the API
 * cannot choose such an address, so its host and port count as listed, even on this machine.
 * Metadata services and own ports stay blocked.
 */
export function forOperatorsAddress(address: string, egress: EgressPolicy): EgressPolicy {
  const listed = [...egress.allowedPrivateHosts, entryOf(new URL(address))];
  return { ...egress, allowedPrivateHosts: listed };
}
