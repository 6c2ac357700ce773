import { expect, test } from 'vitest';
import { guestBudget } from './guest-spending.ts';
import { defaultVisitLimits, visitBrake } from './visit-limits.ts';
import { visitNotice } from './visit-notice.ts';
import { deviceKindOf, languageOf } from './visitor-traits.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0', 'desktop'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari', 'mobile'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130 Mobile Safari', 'mobile'],
  ['Mozilla/5.0 (Linux; Android 14; SM-X910) Chrome/130 Safari', 'tablet'],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Mobile/15E148', 'tablet'],
  ['Slackbot-LinkExpanding 1.0', 'bot'],
  ['curl/8.5.0', 'bot'],
  ['', null],
  [undefined, null],
])('%s is %s', (userAgent, kind) => {
  expect(deviceKindOf(userAgent)).toBe(kind);
});

test.each([
  ['de-CH,de;q=0.9', 'de'],
  ['EN', 'en'],
  ['*', null],
  ['<script>', null],
  [undefined, null],
])('%s speaks %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test('a notice that says another time has another version', () => {
  const kept = visitNotice({ keptDays: 90 });
  expect(kept).toEqual({ version: '1-90', text: expect.stringContaining('90 days') });
  expect(visitNotice({ keptDays: 30 }).version).not.toBe(kept.version);
});

test('what costs nothing is allowed; what has no price never; the rest as the owner says', () => {
  const free = { inputPerMillion: 0, outputPerMillion: 0 };
  const dear = { inputPerMillion: 1, outputPerMillion: 5 };
  const on = { enabled: true, dailyCreditCap: 7 };
  expect(guestBudget(null, free)).toEqual({ kind: 'free' });
  expect(guestBudget(on, dear)).toEqual({ kind: 'capped', dailyCreditCap: 7, price: dear });
  const reasons = [
    guestBudget(on, undefined),
    guestBudget(null, dear),
    guestBudget({ ...on, enabled: false }, dear),
  ].map((budget) => 'refusal' in budget && budget.refusal.details?.['reason']);
  expect(reasons).toEqual([
    'MODEL_UNPRICED',
    'GUEST_EXECUTION_DISABLED',
    'GUEST_EXECUTION_DISABLED',
  ]);
});

test('an hour is sixty minutes, and none is no brake', () => {
  expect(visitBrake(defaultVisitLimits, 'visitorIdentitiesPerHour')).toEqual({
    perMinute: 0.5,
    burst: 30,
  });
  const unbraked = { ...defaultVisitLimits, visitorTurnsPerMinute: null };
  expect(visitBrake(unbraked, 'visitorTurnsPerMinute')).toBeUndefined();
});
