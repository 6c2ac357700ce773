/**
 * The own scorers anywhere in a suite file. Each is sent the content of trials, so it needs a
 * permission like any other address of the folder.
 */
import type { ThingToTrust } from '@proofmark/domain';
import { UsageProblem } from '../remote/exit-codes.ts';

/**
 * Rejects a template in the host, since a row of data could replace it by any host after the
 * permission.
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
    // Aliases can place the same value in many places.
    seen.add(one);
    const { type, url } = one as { readonly type?: unknown; readonly url?: unknown };
    if (type === 'scorer' && typeof url === 'string') addresses.add(withOneHost(url));
    open.push(...Object.values(one).filter((value) => typeof value === 'object'));
  }
  return [...addresses].sort().map((url) => ({
    stated: { setting: 'scorer', value: url },
    shown: `sends what is said in its trials to ${url} (an own scorer)`,
  }));
}
