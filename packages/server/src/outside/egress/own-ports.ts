/**
 * The ports of the service and of its database. No caller may make the service connect to them,
 * whatever else is allowed: the request would come from the service's own machine, and the database
 * would trust it. If such a port listens on this machine, it is blocked at all addresses of this
 * machine, because any of them may reach it.
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
 * Returns whether host and port are an own port, as far as that can be decided without a name
 * server.
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
 * Returns whether a connection to this address reaches an own port. The host name of an own port is
 * looked up each time, because a database may move. If the lookup fails, the address could be that
 * of the database, so it counts as a match.
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
