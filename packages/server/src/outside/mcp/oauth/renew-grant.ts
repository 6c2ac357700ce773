/**
 * Renews a grant only once. Calls in one process share the renewal. Among several processes, one
 * takes a lease and sends the request; the others poll the revision every 100 ms. If a process dies
 * after its request, the next one sends the same refresh token, which works only if the issuer
 * accepts it twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { lifetimeMsOf, pauseAfterFailureMs } from '@proofmark/domain';
import type { Grant, GrantStore, RenewedTokens } from './grant-store.ts';
import { isTransientFailure } from './is-transient-failure.ts';
import { type RenewalAnswer, requestRenewal } from './request-renewal.ts';

/** The running renewals of this process, by import id. */
export type PendingRenewals = Map<string, Promise<Grant | undefined>>;

export interface RenewalDependencies {
  readonly store: GrantStore;
  readonly fetch: typeof globalThis.fetch;
  readonly pendingRenewals: PendingRenewals;
  /**
   * The duration of the lease in milliseconds. Set in tests, which cannot wait this long for a dead
   * process.
   */
  readonly leaseMs?: number;
}

/**
 * Returns the grant after the renewal. If it was renewed, its revision has changed. Returns
 * undefined if the grant has ended.
 */
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
    // After a failed renewal, all processes pause. The pause must not stop this process if it holds
    // issued tokens, because they are not saved yet.
    const isPostponed = issued === undefined && seen !== undefined && seen.refreshAgainInMs > 0;
    if (hasMoved || isPostponed || performance.now() >= giveUpAt) return seen;
    await pause(lookAgainMs);
  }
}

/** Requests new tokens. If none were issued, it stores that in the grant and returns undefined. */
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
      : // The time limit of the request is shorter than the lease, so that no other process sends a request while the answer is on its way.
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
 * Saves the tokens. The old refresh token may already be invalid, so the save is retried while the
 * database is unavailable. Any other error would occur again, so the next renewal is postponed and
 * the error is thrown.
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
        // If postponing fails too, the lease expires. The first error is thrown, because it is more
        // useful.
        await store.postpone(holder, pauseMs).catch(() => undefined);
        throw error;
      }
      if (performance.now() >= giveUpAt) throw error;
      // `ref: false` lets a process exit during this pause if it has nothing else to do.
      await pause(saveAgainMs, undefined, { ref: false });
    }
  }
}

const defaultLeaseMs = 15_000;
const lookAgainMs = 100;
const saveWithinMs = 60_000;
const saveAgainMs = 250;
