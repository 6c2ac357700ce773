/**
 * Resolves the address to listen on. The resolved address counts, not its spelling: the address of
 * all interfaces is bound only with the operator's explicit flag.
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
