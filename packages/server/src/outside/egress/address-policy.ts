import { classifyAddress, parseAddress } from './address-class.ts';
import { checkAllowList, isListed, portOf } from './allow-list.ts';
import type { EgressLookup } from './name-lookup.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';
import { isOwnPort, type OwnPort } from './own-ports.ts';

/**
 * The addresses that the service may connect to. Public addresses are allowed. Loopback, private
 * and other special addresses are allowed only if the operator listed them; loopback also by
 * `allowLoopback`. Metadata services, addresses that identify no single host and the ports of the
 * service itself are never allowed.
 */
export interface EgressPolicy {
  /**
   * For a service that one person uses on this machine; a function if the value may change, called
   * for each request.
   */
  readonly allowLoopback: boolean | (() => boolean);
  /**
   * Host names, addresses and networks, for example `10.1.0.0/16`; hosts and addresses may have a
   * port.
   */
  readonly allowedPrivateHosts: readonly string[];
  /** The ports of the service itself; they may become known after the policy was created. */
  readonly ownPorts?: readonly OwnPort[];
  readonly connectTimeoutMs?: number;
  /** Milliseconds from the call to the last byte of the answer. */
  readonly deadlineMs?: number;
  /** The limit on an answer, counted after decompression. */
  readonly maxResponseBytes?: number;
  /** The lookup of names (default: the resolver of the system). */
  readonly lookup?: EgressLookup;
}

/** A host as written, and its port. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
}

/** Checks a URL without a name server; used when a URL is saved. */
export function checkUrl(
  url: string | URL,
  policy: EgressPolicy,
): { refusal?: 'EGRESS_BLOCKED' | 'INVALID_URL' } {
  const parsed = parseTarget(url);
  if (parsed === undefined) return { refusal: 'INVALID_URL' };
  const target = { host: hostOf(parsed), port: portOf(parsed) };
  return isHostAllowed(target, policy) ? {} : { refusal: 'EGRESS_BLOCKED' };
}

/** Returns an http or https URL without user name and password, or undefined. */
export function parseTarget(url: string | URL): URL | undefined {
  if (!URL.canParse(String(url))) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return hostOf(parsed) === '' ? undefined : parsed;
}

/**
 * Returns whether a connection to `address`, reached as `target`, is allowed. Own ports are checked
 * separately.
 */
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

/**
 * Checks a target as written: an address always, a name only if it can mean nothing but loopback or
 * this service.
 */
export function isHostAllowed(target: EgressTarget, policy: EgressPolicy): boolean {
  const plain = normalizedHost(target.host);
  if (isOwnPort(plain, target.port, policy.ownPorts ?? [])) return false;
  if (parseAddress(plain) !== undefined) return isAddressAllowed(target, plain, policy);
  if (!isLoopbackName(plain)) return true;
  return ['127.0.0.1', '::1'].some((address) => isAddressAllowed(target, address, policy));
}

/** Throws if an entry of the operator's list is no host, address or network. */
export function checkAllowedPrivateHosts(policy: EgressPolicy): void {
  checkAllowList(policy.allowedPrivateHosts);
}

function hostOf(url: URL): string {
  return normalizedHost(url.hostname);
}
