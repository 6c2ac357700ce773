import { expect, test } from 'vitest';
import { checkUrl } from '../outside/egress/address-policy.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import { resolveSettings } from './settings.ts';

const oidc = { PROOFMARK_OIDC_ISSUER: 'https://id.example', PROOFMARK_OIDC_CLIENT_ID: 'x' };

async function policyOf(environment: Readonly<Record<string, string>>) {
  const { settings } = resolveSettings({}, environment);
  return egressPolicy(settings, await bindAddress(settings.host, true), []);
}

test.each([
  ['nothing', {}, true],
  ['another loopback address', { PROOFMARK_HOST: '::1' }, true],
  ['a public URL', { PROOFMARK_PUBLIC_URL: 'https://proofmark.example' }, false],
  ['a host name', { PROOFMARK_HOST_NAMES: 'proofmark.example' }, false],
  ['OIDC', oidc, false],
  ['a trusted proxy', { PROOFMARK_TRUSTED_PROXIES: '127.0.0.1' }, false],
  ['an address beyond loopback', { PROOFMARK_HOST: '192.0.2.1' }, false],
  ['every interface', { PROOFMARK_HOST: '0.0.0.0' }, false],
] as [string, Record<string, string>, boolean][])(
  'with %s set, servers on this machine may be called: %s',
  async (_, environment, isOpen) => {
    const refusal = isOpen ? {} : { refusal: 'EGRESS_BLOCKED' };
    expect(checkUrl('http://127.0.0.1:9000/', await policyOf(environment))).toEqual(refusal);
    const listing = await policyOf({ ...environment, PROOFMARK_EGRESS_ALLOW: '127.0.0.1:9000' });
    expect(checkUrl('http://127.0.0.1:9000/', listing)).toEqual({});
    expect(checkUrl('http://10.0.0.1:9000/', listing).refusal).toBe('EGRESS_BLOCKED');
  },
);

test('an entry that is none stops the start and is named', async () => {
  const refused = policyOf({ PROOFMARK_EGRESS_ALLOW: '10.0.0.1,127.0.0.1:http' });
  await expect(refused).rejects.toThrow(/PROOFMARK_EGRESS_ALLOW: "127\.0\.0\.1:http"/);
});
