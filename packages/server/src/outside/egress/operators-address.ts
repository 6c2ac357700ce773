import type { EgressPolicy } from './address-policy.ts';
import { entryOf } from './allow-list.ts';

/**
 * Returns a policy that also allows this address, which must come from the operator's settings and
 * not from an API caller. It may be on this machine. Metadata services and the service's own ports
 * remain blocked.
 */
export function forOperatorsAddress(address: string, egress: EgressPolicy): EgressPolicy {
  const listed = [...egress.allowedPrivateHosts, entryOf(new URL(address))];
  return { ...egress, allowedPrivateHosts: listed };
}
