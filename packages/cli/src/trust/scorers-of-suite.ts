/**
 * Finds the own scorers of a suite file. They receive the content of trials, so sending to them
 * needs permission.
 */
import type { ThingToTrust } from '@proofmark/domain';
import { UsageProblem } from '../remote/exit-codes.ts';

/**
 * Rejects a template in the host. After the permission is given, a data row could insert any other
 * host.
 */
function withOneHost(url: string): string {
  const [, authority = url] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (!authority.includes('{{')) return url;
  throw new UsageProblem(
    `The host of the scorer ${url} comes from rows of data, which is not allowed; write the host into the suite file.`,
  );
}

export function scorersOfSuite(parsed: unknown): ThingToTrust[] {
  const addresses = new Set<string>();
  const seen = new Set<unknown>();
  const open: unknown[] = [parsed];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    // Values already visited are skipped, because YAML aliases can repeat a value or make it
    // contain itself.
    seen.add(one);
    const { type, url } = one as { readonly type?: unknown; readonly url?: unknown };
    if (type === 'scorer' && typeof url === 'string') addresses.add(withOneHost(url));
    open.push(...Object.values(one).filter((value) => typeof value === 'object'));
  }
  return [...addresses].sort().map((url) => ({
    stated: { setting: 'scorer', value: url },
    shown: `sends the conversations of its trials to ${url} (an own scorer)`,
  }));
}
