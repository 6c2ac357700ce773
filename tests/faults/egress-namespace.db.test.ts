/**
 * Tests that no outsider can make the service connect to an internal address: not by the notation
 * of an address, a name with changing addresses, a redirect, or any address from a server or its
 * authorization server. The canaries (servers that no attempt may reach) and the whole service run
 * in a network namespace of this test. There, the cloud metadata address is real and harmless.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { addresses, pointers, spellings } from './egress-attempts.ts';
import type { Attempt } from './egress-namespace.child.ts';
import { hasNamespaces, runInNamespace } from './run-in-namespace.ts';

const child = new URL('./egress-namespace.child.ts', import.meta.url);
const isOther = process.env['PROOFMARK_TEST_CLUSTER'] === 'system';
const why = isOther || hasNamespaces() ? '' : ' (skipped: no network namespaces of our own here)';

describe.skipIf(isOther || why !== '')(`egress, in a network namespace${why}`, () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await runInNamespace(child);
  }, 180_000);

  test('the canaries can be reached, and looking before calling does not help', () => {
    for (const address of addresses.canaries) expect(outcome.control[address]).toBeGreaterThan(0);
    expect(outcome.control['169.254.169.254']).toBeGreaterThan(1);
  });

  test('no canary was reached by the service', () => {
    expect(outcome.attempts.length).toBeGreaterThan(spellings.length + pointers.length * 8);
    expect(outcome.hits).toEqual({});
  });

  test('an address is refused when it is saved, in every spelling', () => {
    const saved = outcome.attempts.filter(({ what }) => what.startsWith('spelling '));
    expect(
      saved.filter(({ status, code }) => status !== 400 || code !== 'VALIDATION_ERROR'),
    ).toEqual([]);
    const blocked = saved.filter(({ reason }) => reason === 'EGRESS_BLOCKED');
    expect(blocked.length).toBeGreaterThan(spellings.length - 8);
  });

  test('a name that leads inward is refused when it is used, and what it stands for is not told', () => {
    const used = outcome.attempts.filter(({ what }) => /^name .*: validate$/.test(what));
    const inward = used.filter(({ what }) => !/honest|rebinding/.test(what));
    expect(inward).not.toEqual([]);
    for (const attempt of inward) {
      expect(attempt).toMatchObject({
        status: 502,
        code: 'SERVER_UNREACHABLE',
        reason: 'EGRESS_BLOCKED',
        toldAddress: false,
      });
    }
    const rebinding = used.filter(({ what }) => what.includes('rebinding'));
    const reasons = new Set(rebinding.map(({ reason, code }) => reason ?? code));
    expect(reasons).toEqual(new Set(['EGRESS_BLOCKED', 'OAUTH_REQUIRED']));
  });

  test('a redirect inward is refused, and nothing a server points at is our failure', () => {
    const redirected = outcome.attempts.filter(({ what }) => /^redirect-.*: validate$/.test(what));
    expect(redirected).toHaveLength(40);
    expect(redirected.filter(({ reason }) => reason !== 'EGRESS_BLOCKED')).toEqual([]);
    expect(outcome.attempts.filter(({ status }) => status === 500)).toEqual([]);
  });
});

interface Outcome {
  readonly control: Readonly<Record<string, number>>;
  readonly attempts: readonly Attempt[];
  readonly hits: Readonly<Record<string, number>>;
}
