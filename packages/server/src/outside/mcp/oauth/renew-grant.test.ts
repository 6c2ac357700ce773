import { type OAuthIssuer, startOAuthIssuer } from '@proofmark/harness/mcp-servers/oauth-issuer.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch } from '../../egress/guarded-fetch.ts';
import type { Grant, GrantStore } from './grant-store.ts';
import { renewGrant } from './renew-grant.ts';

let issuer: OAuthIssuer;
let stored: Grant;
beforeEach(async () => {
  issuer = await startOAuthIssuer();
  const issued = issuer.issue();
  stored = {
    accessToken: issued.access_token,
    refreshToken: issued.refresh_token,
    renewal: {
      tokenEndpoint: `${issuer.url}/token`,
      clientAuthentication: 'none',
      clientId: null,
      resource: null,
    },
    scope: null,
    revision: 1,
    renewed: false,
    ageMs: 0,
    expiresInMs: 0,
    refreshingForMs: 0,
    failures: 0,
    refreshAgainInMs: 0,
  };
});
afterEach(() => issuer.stop());

function memoryStore(change: Partial<GrantStore> = {}): GrantStore {
  return {
    importId: 'one',
    read: async () => stored,
    takeLease: async (revision) => revision === stored.revision,
    async save(_holder, { accessToken, refreshToken }) {
      stored = { ...stored, accessToken, refreshToken, revision: stored.revision + 1 };
    },
    end: async () => undefined,
    postpone: async () => undefined,
    ...change,
  };
}

function databaseError(code: string): Error {
  return Object.assign(new Error('The database said no.'), { code });
}

function holdOnce(): GrantStore['takeLease'] {
  let isTaken = false;
  return async () => {
    const isMine = !isTaken;
    isTaken = true;
    return isMine;
  };
}

function meansOf(store: GrantStore) {
  const fetch = createGuardedFetch({ allowLoopback: true, allowedPrivateHosts: [] });
  return { store, fetch, pendingRenewals: new Map(), leaseMs: 600 };
}

test('a database that is away when the tokens arrive does not cost them', async () => {
  let attempts = 0;
  const store = memoryStore();
  const failing = memoryStore({
    async save(...given) {
      attempts += 1;
      if (attempts < 4) throw databaseError('CONNECTION_CLOSED');
      await store.save(...given);
    },
  });
  const renewed = await renewGrant(meansOf(failing), stored);
  expect(renewed?.revision).toBe(2);
  expect(issuer.accepts(renewed?.accessToken ?? '')).toBe(true);
  expect(issuer.tokenRequests).toHaveLength(1);
  await renewGrant(meansOf(store), stored);
  expect(issuer.isRevoked).toBe(false);
});

test('what the database refuses is not tried again, and the next renewal waits', async () => {
  let attempts = 0;
  const pauses: number[] = [];
  const store = memoryStore({
    async save() {
      attempts += 1;
      throw databaseError('22021');
    },
    postpone: async (_holder, pauseMs) => void pauses.push(pauseMs),
  });
  await expect(renewGrant(meansOf(store), stored)).rejects.toMatchObject({ code: '22021' });
  expect({ attempts, pauses }).toEqual({ attempts: 1, pauses: [5_000] });
});

test('who lost the lease to somebody who saved uses what is stored', async () => {
  const store = memoryStore({
    // Simulates a lost lease: this process saves nothing, and another process saves its tokens 50
    // ms later.
    async save() {
      setTimeout(() => {
        stored = { ...stored, revision: 2, accessToken: 'of another process' };
      }, 50);
    },
    takeLease: holdOnce(),
  });
  expect(await renewGrant(meansOf(store), stored)).toMatchObject({
    revision: 2,
    accessToken: 'of another process',
  });
  expect(issuer.tokenRequests).toHaveLength(1);
});

test('who lost the lease to somebody who got nothing saves what it has, and asks nobody again', async () => {
  let saves = 0;
  const store = memoryStore();
  const losing = memoryStore({
    async save(...given) {
      saves += 1;
      if (saves === 1) stored = { ...stored, refreshAgainInMs: 100 };
      else await store.save(...given);
    },
  });
  const renewed = await renewGrant(meansOf(losing), stored);
  expect(renewed?.revision).toBe(2);
  expect(issuer.accepts(renewed?.accessToken ?? '')).toBe(true);
  expect(issuer.tokenRequests).toHaveLength(1);
});

test('who finds the lease taken waits until the revision has moved', async () => {
  const before = stored;
  let looks = 0;
  const store = memoryStore({
    takeLease: async () => false,
    async read() {
      looks += 1;
      if (looks === 3) stored = { ...stored, revision: 2, accessToken: 'of another process' };
      return stored;
    },
  });
  expect(await renewGrant(meansOf(store), before)).toMatchObject({
    accessToken: 'of another process',
  });
  expect(issuer.tokenRequests).toHaveLength(0);
});

test('who waits for nothing gives up with the grant as it is', async () => {
  const store = memoryStore({ takeLease: async () => false });
  expect(await renewGrant(meansOf(store), stored)).toBe(stored);
});

test('an error of the database reaches every caller of the renewal, and the next renewal is a new one', async () => {
  let broken = true;
  const store = memoryStore({
    async takeLease(revision) {
      if (broken) throw new Error('The database is away.');
      return revision === stored.revision;
    },
  });
  const dependencies = meansOf(store);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => renewGrant(dependencies, stored)));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
  broken = false;
  expect((await renewGrant(dependencies, stored))?.revision).toBe(2);
});
