/**
 * Looks up the addresses of a name, without letting a dead name stop the calls of others. The
 * resolver of the system uses the few threads that the whole process shares, and blocks them for
 * name servers that never answer. So the hosts file and the name servers are queried without
 * threads. Only names that those may not know go to the system, a few at a time: local names, and
 * names that no name server knows as written.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { Semaphore } from '@proofmark/domain';

/** Returns all addresses of a name. */
export type EgressLookup = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface NameLookupOptions {
  readonly hostsFile?: string;
  /** (default: the name servers of the system) */
  readonly nameServers?: readonly string[];
  readonly system?: EgressLookup;
}

export function createNameLookup(options: NameLookupOptions = {}): EgressLookup {
  const hosts = new HostsFile(options.hostsFile ?? '/etc/hosts');
  const system = options.system ?? ((name: string) => systemLookup(name, { all: true }));
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const written = hosts.addressesOf(name);
    if (written.length > 0) return written.map(answerOf);
    const isLocal = !name.includes('.') || name.endsWith('.localhost');
    if (isLocal) return aFewAtATime('local', () => system(hostname));
    const found = await askNameServers(name, options.nameServers);
    return found ?? aFewAtATime('unknown', () => system(hostname));
  };
}

/** Returns undefined if no name server knows the name. */
async function askNameServers(name: string, nameServers: readonly string[] | undefined) {
  // A new resolver each time: it reads the name servers of the system once, and they may change.
  const resolver = new Resolver({ timeout: firstTryMs, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const both = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length > 0) return addresses.map(answerOf);
  const codes = both.map((one) =>
    one.status === 'rejected' ? String(one.reason.code) : 'ENODATA',
  );
  if (codes.every((code) => code === 'ENOTFOUND')) return undefined;
  // The error has a code of the system's resolver; the code for a refused query could be mistaken
  // for a refused connection.
  throw lookupError(codes.every((code) => isNoAddress.has(code)) ? 'ENOTFOUND' : 'EAI_AGAIN');
}

/** The hosts file, read again when it changes. */
class HostsFile {
  readonly #path: string;
  #version = '';
  #addresses = new Map<string, string[]>();

  constructor(path: string) {
    this.#path = path;
  }

  addressesOf(name: string): readonly string[] {
    try {
      const { mtimeMs, size, ino } = statSync(this.#path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version !== this.#version) this.#addresses = parseHosts(readFileSync(this.#path, 'utf8'));
      this.#version = version;
    } catch {
      this.#addresses.clear();
      this.#version = '';
    }
    return this.#addresses.get(name) ?? [];
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((written) => written.toLowerCase())) {
      const known = addresses.get(name) ?? [];
      if (!known.includes(address)) addresses.set(name, [...known, address]);
    }
  }
  return addresses;
}

function answerOf(address: string): { address: string; family: number } {
  return { address, family: isIP(address) };
}

function lookupError(code: string): Error {
  return Object.assign(new Error('The host name has no address; check the name.'), { code });
}

async function aFewAtATime<Result>(
  kind: keyof typeof codeAfterWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(longestWaitMs);
  const release = await lookups.acquire(kind, { signal }).catch(() => {
    throw lookupError(codeAfterWait[kind]);
  });
  return work().finally(release);
}

const longestWaitMs = 4_000;
/** There are four shared threads; one is left for everything else. */
const lookups = new Semaphore((kind) => (kind === 'local' ? 2 : 1));
const codeAfterWait = { local: 'EAI_AGAIN', unknown: 'ENOTFOUND' };
/** The second try waits twice as long; both fit into the time to connect. */
const firstTryMs = 1_000;
const isNoAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
