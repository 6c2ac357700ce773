import { classifyAddress, parseAddress } from './address-class.ts';
import { checkAllowList, isListed, portOf } from './allow-list.ts';
import type { EgressLookup } from './name-lookup.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';
import { isOwnPort, type OwnPort } from './own-ports.ts';

/**
 * Where the service may connect to. Public addresses are allowed. Loopback, private and other special addresses are
 * allowed only when the operator listed them; loopback also by `allowLoopback`. Metadata services, addresses that name
 * no one host and the ports of the service itself are never allowed.
 */
export interface EgressPolicy {
  /** For a service that one person uses on this machine; asked for every call where that may change. */
  readonly allowLoopback: boolean | (() => boolean);
  /** Host names, addresses and networks such as `10.1.0.0/16`; hosts and addresses may have a port. */
  readonly allowedPrivateHosts: readonly string[];
  /** Those of the service itself; they may become known after the policy was made. */
  readonly ownPorts?: readonly OwnPort[];
  readonly connectTimeoutMs?: number;
  /** From the call to the last byte of the answer. */
  readonly deadlineMs?: number;
  /** Counted after decompression. */
  readonly maxResponseBytes?: number;
  /** The resolver of the system when absent. */
  readonly lookup?: EgressLookup;
}

/** A host as it was written, and the port it is asked at. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
}

/** What can be said about a URL without asking a name server; used when a URL is saved. */
export function checkUrl(
  url: string | URL,
  policy: EgressPolicy,
): { refusal?: 'EGRESS_BLOCKED' | 'INVALID_URL' } {
  const parsed = parseTarget(url);
  if (parsed === undefined) return { refusal: 'INVALID_URL' };
  const target = { host: hostOf(parsed), port: portOf(parsed) };
  return isHostAllowed(target, policy) ? {} : { refusal: 'EGRESS_BLOCKED' };
}

/** An http or https URL without user name and password, or nothing. */
export function parseTarget(url: string | URL): URL | undefined {
  if (!URL.canParse(String(url))) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return hostOf(parsed) === '' ? undefined : parsed;
}

/** Whether a connection to `address`, reached as `target`, is allowed; own ports are another question. */
export function isAddressAllowed(
  target: EgressTarget,
  address: string,
  policy: EgressPolicy,
): boolean {
  const addressClass = classifyAddress(address);
  if (addressClass === 'loopback' && isLoopbackAllowed(policy)) return true;
  if (addressClass === 'loopback' || addressClass === 'special') {
    return isListed(policy.allowedPrivateHosts, target, address);
  }
  return addressClass === 'public';
}

export function isLoopbackAllowed({ allowLoopback }: EgressPolicy): boolean {
  return typeof allowLoopback === 'function' ? allowLoopback() : allowLoopback;
}

/** A target as written: an address is judged; a name is judged only if it can mean nothing but loopback, or us. */
export function isHostAllowed(target: EgressTarget, policy: EgressPolicy): boolean {
  const plain = normalizedHost(target.host);
  if (isOwnPort(plain, target.port, policy.ownPorts ?? [])) return false;
  if (parseAddress(plain) !== undefined) return isAddressAllowed(target, plain, policy);
  if (!isLoopbackName(plain)) return true;
  return ['127.0.0.1', '::1'].some((address) => isAddressAllowed(target, address, policy));
}

/** Throws when the operator's list holds something that is no host, address or network. */
export function checkAllowedPrivateHosts(policy: EgressPolicy): void {
  checkAllowList(policy.allowedPrivateHosts);
}

function hostOf(url: URL): string {
  return normalizedHost(url.hostname);
}
