/**
 * The ports of the service itself and of its database. Nobody may be made to call them, whatever else is allowed: the
 * service would be asked from its own machine, and the database by somebody it lets in. A port that listens on this
 * machine is closed at every address of this machine, since any of them may lead there.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { classifyAddress, spellingsOf } from './address-class.ts';
import type { EgressLookup } from './name-lookup.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';

export interface OwnPort {
  /** An address, a name, or the path of a socket file, which is on this machine. */
  readonly host: string;
  readonly port: number;
}

/** As far as it can be told without asking a name server. */
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

/** Names of own ports are asked anew each time, since a database may move. One that has no answer may be anywhere. */
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

/** Bound to these, a port listens at every address of the machine. */
const everyInterface = new Set(['0.0.0.0', '::'].flatMap(spellingsOf));
