/**
 * Whether a service is for one person on this machine: it listens on loopback, and nothing in its settings speaks of
 * others who come to it, through a proxy or by a name. Only then may servers on this machine be called without being
 * listed, and metrics be read without a token. A worker alone listens nowhere; it goes by what
 * the service said of itself in the database.
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

/** Said at every start of such a service. */
export const openToThisMachine =
  'Servers on this machine may be called, since only this machine is served. Before others reach the service, set PROOFMARK_PUBLIC_URL: that closes them.';
