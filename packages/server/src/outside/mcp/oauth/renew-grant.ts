/**
 * One renewal per grant, however many calls and processes want it. Calls of one process share a renewal; of
 * several processes one takes the lease and asks, the others look again every 100 ms until the revision has moved.
 * No transaction is open while the token endpoint is asked. When a process dies after asking, its lease runs out
 * and the next one asks with the refresh token that is stored, which works wherever a token may be used again.
 * A holder whose lease ran out before it could save takes it again and saves what it has, without asking twice;
 * when somebody else has saved meanwhile, what is stored counts.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { lifetimeMsOf, pauseAfterFailureMs } from '@proofmark/domain';
import type { Grant, GrantStore, RenewedTokens } from './grant-store.ts';
import { isTransientFailure } from './is-transient-failure.ts';
import { type RenewalAnswer, requestRenewal } from './request-renewal.ts';

/** The renewals under way in this process, by import. */
export type PendingRenewals = Map<string, Promise<Grant | undefined>>;

export interface RenewalDependencies {
  readonly store: GrantStore;
  readonly fetch: typeof globalThis.fetch;
  readonly pendingRenewals: PendingRenewals;
  /** For tests, which do not want to wait so long for a process that died. */
  readonly leaseMs?: number;
}

/** The grant as it is afterwards: of another revision if it was renewed; nothing when it is over. */
export function renewGrant(
  dependencies: RenewalDependencies,
  grant: Grant,
): Promise<Grant | undefined> {
  const { pendingRenewals, store } = dependencies;
  const pending = pendingRenewals.get(store.importId);
  if (pending !== undefined) return pending;
  const renewal = renew(dependencies, grant).finally(() => pendingRenewals.delete(store.importId));
  pendingRenewals.set(store.importId, renewal);
  return renewal;
}

async function renew(dependencies: RenewalDependencies, grant: Grant): Promise<Grant | undefined> {
  const { store, leaseMs = defaultLeaseMs } = dependencies;
  const holder = randomUUID();
  let giveUpAt = performance.now() + 2 * leaseMs;
  let issued: RenewedTokens | undefined;
  for (;;) {
    const isHolder = await store.takeLease(grant.revision, holder, leaseMs);
    if (isHolder) {
      const before = issued;
      issued ??= await ask(dependencies, grant, holder, leaseMs);
      if (issued === undefined) return store.read();
      await saveSurely(store, grant, holder, issued);
      if (before === undefined) giveUpAt = performance.now() + 2 * leaseMs;
    }
    const seen = await store.read();
    const hasMoved = seen === undefined || seen.revision !== grant.revision;
    // Tokens that are not saved yet are worth more than the pause of somebody who got none.
    const isPostponed = issued === undefined && seen !== undefined && seen.refreshAgainInMs > 0;
    if (hasMoved || isPostponed || performance.now() >= giveUpAt) return seen;
    await pause(lookAgainMs);
  }
}

/** Nothing when none were issued; the grant then says so. */
async function ask(
  { store, fetch }: RenewalDependencies,
  grant: Grant,
  holder: string,
  leaseMs: number,
): Promise<RenewedTokens | undefined> {
  const { renewal, refreshToken } = grant;
  const answer: RenewalAnswer =
    renewal === undefined || refreshToken === undefined
      ? { kind: 'failed' }
      : // The lease outlives the request, so that nobody else asks while the answer is on its way.
        await requestRenewal(fetch, renewal, refreshToken, (leaseMs * 2) / 3);
  if (answer.kind === 'issued') {
    const { tokens } = answer;
    return {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? (refreshToken as string),
      lifetimeMs: lifetimeMsOf(tokens.expiresInSeconds),
      scope: tokens.scope ?? grant.scope,
    };
  }
  if (answer.kind === 'over') await store.end(holder);
  else await store.postpone(holder, pauseAfterFailureMs(grant.failures + 1));
  return undefined;
}

/**
 * The old refresh token may be used up by now, so a database that is away for a while is asked again. What it
 * refuses once it would refuse always: then the next renewal waits, and the error is told.
 */
async function saveSurely(
  store: GrantStore,
  grant: Grant,
  holder: string,
  tokens: RenewedTokens,
): Promise<void> {
  const giveUpAt = performance.now() + saveWithinMs;
  for (;;) {
    try {
      return await store.save(holder, tokens);
    } catch (error) {
      if (!isTransientFailure(error)) {
        const pauseMs = pauseAfterFailureMs(grant.failures + 1);
        // Where even this fails, the lease runs out and the first error says more.
        await store.postpone(holder, pauseMs).catch(() => undefined);
        throw error;
      }
      if (performance.now() >= giveUpAt) throw error;
      // A process that has nothing else to do any more need not stay for this.
      await pause(saveAgainMs, undefined, { ref: false });
    }
  }
}

const defaultLeaseMs = 15_000;
const lookAgainMs = 100;
const saveWithinMs = 60_000;
const saveAgainMs = 250;
