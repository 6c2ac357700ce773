/**
 * Resolves the address to listen on. An address that means all interfaces, in any spelling, is
 * refused without the operator's explicit flag.
 */
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { BadSetting } from './setting.ts';

export interface BindAddress {
  readonly address: string;
  readonly loopback: boolean;
}

export async function bindAddress(
  host: string,
  allInterfacesAllowed: boolean,
): Promise<BindAddress> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const address = name === '' || name === '*' ? '::' : await resolveHost(name);
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (parsed.range() === 'unspecified' && !allInterfacesAllowed) {
    throw new BadSetting(
      `The host ${host === '' ? '""' : host} means every network interface; add --dangerously-bind-all to listen on all of them.`,
    );
  }
  return { address, loopback: parsed.range() === 'loopback' };
}

async function resolveHost(name: string): Promise<string> {
  try {
    return (await lookup(name)).address;
  } catch {
    throw new BadSetting(
      `The host ${name} is not an address, and this machine cannot resolve it as a name.`,
    );
  }
}
