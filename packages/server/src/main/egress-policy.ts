import { checkAllowedPrivateHosts, type EgressPolicy } from '../egress/address-policy.ts';
import type { BindAddress } from './bind-address.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

/** Loopback targets are for a service that is itself on loopback only. */
export function egressPolicy(settings: Settings, bind: BindAddress): EgressPolicy {
  const policy = { allowLoopback: bind.loopback, allowedPrivateHosts: settings.egressAllow };
  try {
    checkAllowedPrivateHosts(policy);
  } catch (error) {
    throw new BadSetting(`PROOFMARK_EGRESS_ALLOW: ${(error as Error).message}`);
  }
  return policy;
}
