import { invalid } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';

/**
 * Rejects an address that the service would never call when it is saved, not when it is first used.
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
      'The service may not call this address; the operator can allow private addresses.';
    refuse(invalid(`body.${name}`, message, { reason: 'EGRESS_BLOCKED' }));
  }
}
