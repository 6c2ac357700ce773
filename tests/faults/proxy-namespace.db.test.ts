/**
 * Tests a service on loopback behind a proxy on the same machine. No input that takes a URL may
 * make the service or its worker connect to an internal address, such as loopback or the service
 * itself. The proxy is a real nginx with the guide's example, in a network namespace of this test.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { findNginx } from '../../scripts/find-nginx.mjs';
import { addresses } from './egress-attempts.ts';
import type { ProxyOrders, Tried } from './proxy-namespace.child.ts';
import { hasNamespaces, runInNamespace } from './run-in-namespace.ts';
import { outboundTemplates, urlInputs } from './url-inputs.ts';

interface Outcome {
  readonly control: Readonly<Record<string, number>>;
  readonly tried: readonly Tried[];
  readonly runs: readonly { readonly status: string; readonly verdict: string }[];
  readonly proxied: {
    readonly tooLarge: { readonly status: number; readonly body: { readonly code: string } };
    readonly metrics: number;
    readonly metricsThroughProxy: number;
    readonly listedHits: number;
    readonly isStreamed: boolean;
    readonly signIn: { readonly guesser: number; readonly other: number };
  };
  readonly hits: Readonly<Record<string, number>>;
}

const child = new URL('./proxy-namespace.child.ts', import.meta.url);
const inputs = urlInputs();
const nginx = findNginx({ install: false });
const isRequired = process.env['PROOFMARK_REQUIRE_NGINX'] === '1';
const missing = nginx === undefined ? 'no nginx' : 'no network namespaces of our own';
const isPossible = nginx !== undefined && hasNamespaces();
const why = isPossible ? '' : ` (skipped: ${missing} here)`;
if (!isPossible && !isRequired) {
  process.stderr.write(
    `\nNOT TESTED: what stands behind nginx, since there are ${missing} here. With PROOFMARK_REQUIRE_NGINX=1 this fails.\n\n`,
  );
}

test.runIf(isRequired)('nginx and network namespaces are here, as they are required', () => {
  expect(isPossible, `There are ${missing} here.`).toBe(true);
});

describe.skipIf(why !== '')(`behind nginx, in a network namespace${why}`, () => {
  let outcome: Outcome;
  beforeAll(async () => {
    const orders = { nginx: nginx ?? '', inputs, outbound: outboundTemplates() };
    outcome = await runInNamespace(child, orders satisfies ProxyOrders);
  }, 180_000);

  test('the canaries can be reached, and every input takes a URL that leads elsewhere', () => {
    for (const address of addresses.canaries) expect(outcome.control[address]).toBeGreaterThan(0);
    const names = inputs.map(({ operationId, field }) => `${operationId} ${field}`);
    expect(names).toEqual(
      expect.arrayContaining(['createProjectServer url', 'updateProjectServer url']),
    );
    for (const input of names) {
      const [harmless] = outcome.tried.filter(({ what }) => what === input);
      expect([input, harmless?.code]).not.toEqual([input, 'VALIDATION_ERROR']);
      expect([input, harmless?.code]).not.toEqual([input, 'NOT_FOUND']);
    }
  });

  test('no canary was reached, neither by the service nor by its worker', () => {
    expect(outcome.tried.length).toBeGreaterThan(inputs.length * 20);
    expect(outcome.runs.length).toBeGreaterThanOrEqual(6);
    expect(outcome.hits).toEqual({});
    for (const { verdict } of outcome.runs) expect(verdict).not.toBe('passed');
  });

  test('an address inward is refused when it is saved, and a name when it is used', () => {
    const saved = outcome.tried.filter(({ what }) =>
      /^(create|update)ProjectServer url$/.test(what),
    );
    const refused = saved.filter(({ url }) => !url.includes('attacker.test'));
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.filter(({ reason }) => reason !== 'EGRESS_BLOCKED')).toEqual([]);
    const used = outcome.tried.filter(({ what }) =>
      /ProjectServer url, validateServer$/.test(what),
    );
    expect(used.length).toBeGreaterThanOrEqual(12);
    expect(used.filter(({ reason }) => reason !== 'EGRESS_BLOCKED')).toEqual([]);
  });

  test('the ports of the service and of its database are closed, though they are listed; others are open', () => {
    const own = outcome.tried.filter(
      ({ what, url }) =>
        /:(3300|5432)\//.test(url) && /^createProjectServer url(, validateServer)?$/.test(what),
    );
    const taken = own.filter(({ status }) => status === 201);
    expect(taken.map(({ url }) => new URL(url).hostname)).toEqual([
      ...['loopback.attacker.test', 'loopback.attacker.test'],
    ]);
    const others = own.filter((one) => !taken.includes(one));
    expect(others.filter(({ reason }) => reason !== 'EGRESS_BLOCKED')).toEqual([]);
    expect(outcome.proxied.listedHits).toBeGreaterThan(0);
  });

  test('the example passes on lines as they come and large bodies, and keeps visitors and metrics apart', () => {
    const { tooLarge, metrics, metricsThroughProxy, isStreamed, signIn } = outcome.proxied;
    expect(tooLarge).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect([metrics, metricsThroughProxy]).toEqual([403, 404]);
    expect(isStreamed).toBe(true);
    expect(signIn).toEqual({ guesser: 429, other: 401 });
  });
});
