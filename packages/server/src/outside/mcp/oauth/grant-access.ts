/**
 * The tokens of a grant, for sending them to the server. If a renewal fails, a token that is still
 * valid is used. An ended grant gives no token, and nothing is requested until tokens are imported
 * again.
 */
import { mayRenewRefused, renewalNeed, type TokenLife } from '@proofmark/domain';
import { McpFailure } from '../mcp-failure.ts';
import type { AccessTokens } from '../mcp-target.ts';
import type { Grant } from './grant-store.ts';
import { type RenewalDependencies, renewGrant } from './renew-grant.ts';

/**
 * `first` is the grant that the caller has just read, so that it is not read twice. It is undefined
 * if the grant had ended.
 */
export function grantAccess(
  dependencies: RenewalDependencies,
  first: Grant | undefined,
): AccessTokens {
  const { store } = dependencies;
  let fresh: { readonly grant: Grant | undefined; readonly untilMs: number } | undefined = {
    grant: first,
    untilMs: performance.now() + freshForMs,
  };
  const read = async () => {
    const known = fresh;
    fresh = undefined;
    return known && performance.now() < known.untilMs ? known.grant : store.read();
  };
  return {
    async current() {
      const grant = await read();
      if (grant === undefined) return undefined;
      const need = renewalNeed(lifeOf(grant));
      if (need === 'none') return grant.accessToken;
      // Another process is renewing the grant, and this token is still valid until that ends.
      if (need === 'soon' && grant.refreshingForMs > 0) return grant.accessToken;
      const renewed = await renewUnlessPostponed(dependencies, grant);
      if (renewed === undefined) return undefined;
      const isUsable = renewed.revision !== grant.revision || !hasExpired(renewed);
      return isUsable ? renewed.accessToken : notRenewed(renewed);
    },
    async after(refused) {
      fresh = undefined;
      const grant = await store.read();
      if (grant === undefined) return undefined;
      if (grant.accessToken !== refused) return grant.accessToken;
      if (!mayRenewRefused(lifeOf(grant))) return undefined;
      const renewed = await renewUnlessPostponed(dependencies, grant);
      if (renewed === undefined) return undefined;
      return renewed.accessToken === refused ? notRenewed(renewed) : renewed.accessToken;
    },
  };
}

function renewUnlessPostponed(
  dependencies: RenewalDependencies,
  grant: Grant,
): Promise<Grant | undefined> {
  return grant.refreshAgainInMs > 0 ? Promise.resolve(grant) : renewGrant(dependencies, grant);
}

function lifeOf(grant: Grant): TokenLife {
  const canBeRenewed = grant.renewal !== undefined && grant.refreshToken !== undefined;
  return { ...grant, canBeRenewed };
}

function hasExpired(grant: Grant): boolean {
  return grant.expiresInMs !== null && grant.expiresInMs <= 0;
}

function notRenewed(grant: Grant): never {
  throw new McpFailure(
    'SERVER_UNREACHABLE',
    'The authorization server did not renew the access token of this server; try again later, or import new tokens.',
    {
      reason: 'TOKEN_NOT_RENEWED',
      retryAfterSeconds: Math.max(1, Math.ceil(grant.refreshAgainInMs / 1000)),
    },
  );
}

const freshForMs = 1_000;
