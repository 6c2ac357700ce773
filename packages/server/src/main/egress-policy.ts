import { checkAllowedPrivateHosts, type EgressPolicy } from '../outside/egress/address-policy.ts';
import type { OwnPort } from '../outside/egress/own-ports.ts';
import type { BindAddress } from './bind-address.ts';
import { isForOnePerson } from './is-single-user.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

/**
 * Builds the policy for outgoing connections. It keeps a reference to `ownPorts`, so the caller can
 * add ports that are known only after they listen.
 */
export function egressPolicy(
  settings: Settings,
  bind: BindAddress,
  ownPorts: readonly OwnPort[],
  allowLoopback: EgressPolicy['allowLoopback'] = isForOnePerson(settings, bind),
): EgressPolicy {
  const policy = {
    allowLoopback,
    allowedPrivateHosts: settings.egressAllow,
    ownPorts,
  };
  try {
    checkAllowedPrivateHosts(policy);
  } catch (error) {
    throw new BadSetting(`PROOFMARK_EGRESS_ALLOW: ${(error as Error).message}`);
  }
  return policy;
}
