/**
 * The ports of the service and its database, which the service itself must never connect to for a
 * caller. The database trusts connections from the service's machine. A port on this machine is
 * blocked at all addresses of this machine.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { classifyAddress, spellingsOf } from './address-class.ts';
import type { EgressLookup } from './name-lookup.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';

export interface OwnPort {
  /** An address, a name, or the path of a socket file on this machine. */
  readonly host: string;
  readonly port: number;
}

/**
 * Returns whether host and port belong to the service or its database. Names are compared without a
 * DNS lookup.
 */
export function isOwnPort(host: string, port: number, ownPorts: readonly OwnPort[]): boolean {
  const plain = normalizedHost(host);
  return ownPorts.some((own) => {
    if (own.port !== port) return false;
    const ownHost = normalizedHost(own.host);
    if (plain === ownHost) return true;
    const [address, ownAddress] = [literalOf(plain), literalOf(ownHost)];
    return address !== undefined && ownAddress !== undefined && isSame(address, ownAddress);
  });
}

/**
 * Returns whether a connection to this address reaches the service or its database. The host name
 * of the database is resolved each time, because its address may change. If that fails, the result
 * is true, because the address could be the database's.
 */
export async function leadsToOwnPort(
  address: string,
  port: number,
  ownPorts: readonly OwnPort[],
  lookup: EgressLookup,
): Promise<boolean> {
  for (const own of ownPorts) {
    if (own.port !== port) continue;
    const literal = literalOf(normalizedHost(own.host));
    const answers = literal === undefined ? await lookup(own.host).catch(() => undefined) : [];
    if (answers === undefined) return true;
    const addresses = literal === undefined ? answers.map((answer) => answer.address) : [literal];
    if (addresses.some((one) => isSame(one, address))) return true;
  }
  return false;
}

function literalOf(plain: string): string | undefined {
  if (plain === '' || plain.startsWith('/') || isLoopbackName(plain)) return '127.0.0.1';
  return isIP(plain) === 0 ? undefined : plain;
}

function isSame(one: string, other: string): boolean {
  if (isHere(one) && isHere(other)) return true;
  const spellings = spellingsOf(one);
  return spellingsOf(other).some((spelling) => spellings.includes(spelling));
}

function isHere(address: string): boolean {
  if (classifyAddress(address) === 'loopback') return true;
  const spellings = spellingsOf(address);
  if (spellings.some((spelling) => everyInterface.has(spelling))) return true;
  return Object.values(networkInterfaces()).some((interfaces) =>
    interfaces?.some((own) => spellingsOf(own.address).some((one) => spellings.includes(one))),
  );
}

/** A port bound to one of these addresses listens at every address of the machine. */
const everyInterface = new Set(['0.0.0.0', '::'].flatMap(spellingsOf));
