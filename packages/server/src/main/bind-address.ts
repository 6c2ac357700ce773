/**
 * Where to listen. Whatever the spelling, what counts is the address it stands for: the one of all
 * interfaces is bound only when the operator says so by the flag.
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
      `The host ${host === '' ? '""' : host} stands for every network interface; add --dangerously-bind-all if that is meant.`,
    );
  }
  return { address, loopback: parsed.range() === 'loopback' };
}

async function resolveHost(name: string): Promise<string> {
  try {
    return (await lookup(name)).address;
  } catch {
    throw new BadSetting(`The host ${name} is no address and no name this machine can resolve.`);
  }
}
