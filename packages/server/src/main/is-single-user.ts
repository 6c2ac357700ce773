/**
 * Decides whether a service is for one person on this machine: it listens on loopback, and its
 * settings mention no other users, such as a proxy or a public name. Only such a service calls
 * servers on this machine without an explicit permission, and returns metrics without a token. A
 * separate worker does not listen; it uses the answer that the service stored in the database.
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
