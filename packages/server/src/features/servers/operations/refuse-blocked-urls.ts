import { invalid } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';

/**
 * Rejects an address that the service may never call. The check is made when the address is saved,
 * so the error does not appear only at the first use.
 */
export function refuseBlockedUrls(
  context: Pick<ServersParts, 'mayReach'>,
  body: {
    readonly url?: string | undefined;
    readonly oauthResourceUrl?: string | null | undefined;
  },
): void {
  for (const name of ['url', 'oauthResourceUrl'] as const) {
    const url = body[name];
    if (url == null || context.mayReach(url)) continue;
    const message =
      'The service is not allowed to call this address; use a public address, or ask the operator to allow it.';
    refuse(invalid(`body.${name}`, message, { reason: 'EGRESS_BLOCKED' }));
  }
}
