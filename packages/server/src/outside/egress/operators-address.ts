import type { EgressPolicy } from './address-policy.ts';
import { entryOf } from './allow-list.ts';

/**
 * Returns the policy for an address in the operator's own settings. Callers cannot choose that
 * address, so its host and port count as listed, even on this machine; metadata services and own
 * ports stay blocked.
 */
export function forOperatorsAddress(address: string, egress: EgressPolicy): EgressPolicy {
  const listed = [...egress.allowedPrivateHosts, entryOf(new URL(address))];
  return { ...egress, allowedPrivateHosts: listed };
}
