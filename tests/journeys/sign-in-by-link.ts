/**
 * Signs in as the first owner with the printed link of a service. Returns the headers that our
 * pages send afterwards.
 */

import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { call } from '@proofmark/harness/test-service.ts';

export interface SignedInPerson {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly organizationId: string;
}

export async function signInByLink(services: readonly StartedProofmark[]): Promise<SignedInPerson> {
  for (const service of services) {
    const link = service.events().find(({ event }) => event === 'signInLink')?.['url'];
    if (link === undefined) continue;
    const { url } = service;
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
    const entered = await call(`${url}/console/v1/session/link`, {
      method: 'POST',
      headers: { origin: url },
      body: { token },
    });
    if (entered.status !== 200) throw new Error(entered.text);
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] as string;
    const mine = await call(`${url}/api/v1/organizations`, { headers: { cookie } });
    return {
      url,
      headers: { cookie, origin: url, 'x-csrf-token': entered.body.csrfToken },
      organizationId: mine.body.items[0].id,
    };
  }
  throw new Error('No service printed a sign-in link.');
}
