import { pollDelayMs } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { silentAfterMs, silentSince } from './connection-lost.ts';

const known = { isFollowing: true, lastReadAtMs: 1_000, watchedFromMs: 0, nowMs: 1_000 };

test('a page that heard nothing says since when, before ten seconds are over', () => {
  expect(silentSince({ ...known, nowMs: 1_000 + silentAfterMs - 1 })).toBeUndefined();
  expect(silentSince({ ...known, nowMs: 1_000 + silentAfterMs })).toBe(1_000);
  // The page checks the connection every second, so the notice appears within ten seconds.
  expect(silentAfterMs + 1_000).toBeLessThan(10_000);
  // The threshold exceeds the longest pause between two polls, so a normal pause shows no notice.
  expect(silentAfterMs).toBeGreaterThan(pollDelayMs(1_000_000) + 2_000);
});

test('one that nobody looked at, or that follows nothing, is not silent', () => {
  const late = { ...known, nowMs: 600_000 };
  expect(silentSince({ ...late, watchedFromMs: 599_000 })).toBeUndefined();
  expect(silentSince({ ...late, isFollowing: false })).toBeUndefined();
});
