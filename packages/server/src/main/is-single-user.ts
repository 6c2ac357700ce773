/**
 * Decides whether a service is for one person: it listens on loopback, and no setting mentions
 * other users, such as a proxy or a public name. Only such a service may call servers on this
 * machine without permission and serve metrics without a token.
 */
import type { BindAddress } from './bind-address.ts';
import type { Settings } from './settings.ts';

export function isForOnePerson(
  settings: Pick<Settings, 'publicUrl' | 'hostNames' | 'oidcIssuer' | 'trustedProxies'>,
  bind: BindAddress,
): boolean {
  return (
    bind.loopback &&
    settings.publicUrl === undefined &&
    settings.hostNames.length === 0 &&
    settings.oidcIssuer === undefined &&
    settings.trustedProxies.length === 0
  );
}

/** Printed at every start of a service that is for one person. */
export const openToThisMachine =
  'Servers on this machine may be called, because only this machine can reach the service. Before others can reach it, set PROOFMARK_PUBLIC_URL: the service then rejects such calls.';
