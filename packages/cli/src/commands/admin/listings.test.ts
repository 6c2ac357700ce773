import { expect, test } from 'vitest';
import { settingText } from '../config.ts';
import { describeKey } from './list-keys.ts';
import { describeTiers } from './list-members.ts';
import { describeProvider } from './model/list.ts';
import { describeGoing, wantedPreview } from './retention.ts';

const id = `key_${'0'.repeat(26)}`;
const at = new Date('2026-03-04T05:06:07Z');

test('a key says whose it is, and fits', () => {
  const key = {
    id,
    name: 'CI',
    start: 'sk_12345678',
    organizationId: 'org_1',
    scope: 'run-only' as const,
    createdAt: at,
    expiresAt: at,
    isExpired: false,
    lastUsedAt: null,
    revokedAt: null,
    ownerEmail: 'owner@acme.example',
  };
  const lines = describeKey(key);
  expect(lines).toEqual([
    `${id}  sk_12345678…  run-only  in use until 2026-03-04`,
    '  CI, of owner@acme.example; made 2026-03-04, never used',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test('members say which tiers they were given', () => {
  const tiers = [{ projectName: 'Gate', tier: 'manage' }];
  expect(
    describeTiers([
      { email: 'a@b.example', tiers },
      { email: 'c@d.example', tiers: [] },
    ]),
  ).toEqual(['a@b.example has the manage tier in Gate.']);
});

test('a provider says what its models cost, and which have no price', () => {
  const models = [{ name: 'small', inputPerMillion: 1, outputPerMillion: 2.5 }, { name: 'large' }];
  const provider = {
    name: 'local',
    kind: 'openai-compatible' as const,
    source: 'operator' as const,
    isInForce: true,
    hasKey: true,
    baseUrl: 'http://127.0.0.1:9/v1',
    models,
    requestsAtOnce: null,
    revision: null,
  };
  expect(describeProvider(provider)).toEqual([
    'local  openai-compatible, of the operator; key: set',
    '  http://127.0.0.1:9/v1',
    '  small: $1 in, $2.5 out for a million tokens',
    '  large: no price',
  ]);
});

test('a preview takes rules that are not set yet, and the organization before or behind it', () => {
  expect(wantedPreview('Acme', ['runs=1', 'traces=90d/5'])).toEqual({
    organization: 'Acme',
    instead: { runs: '1', traces: '90d/5' },
  });
  expect(wantedPreview(undefined, ['Acme'])).toEqual({ organization: 'Acme', instead: {} });
  expect(wantedPreview(undefined, true)).toEqual({ organization: undefined, instead: {} });
});

test('what would go is counted', () => {
  const none = { trials: 0, traces: 0, bytes: 0, traceBytes: 0, oldest: null, newest: null };
  const goes = {
    runs: { ...none, count: 0 },
    traces: { ...none, ofRuns: 0 },
    sessions: { count: 0 },
  };
  const spared = { open: 0, waived: 0, newestDecided: 0 };
  expect(describeGoing({ goes, spared })).toEqual(['Nothing would be removed.']);
  const runs = {
    ...goes.runs,
    count: 3,
    trials: 9,
    traces: 9,
    bytes: 1500,
    oldest: at,
    newest: at,
  };
  expect(describeGoing({ goes: { ...goes, runs }, spared: { ...spared, waived: 1 } })).toEqual([
    'Would be removed: 3 runs with 9 trials and 9 traces, about 1,500 bytes, from 2026-03-04 to 2026-03-04.',
    'Runs that stay in any case: 1 under a waiver.',
  ]);
});

test.each([
  ['brakes', true, 'on'],
  ['sample', false, 'off'],
  ['creditsPerDay', null, 'none'],
  ['publicUrl', undefined, 'none'],
  ['egressAllow', [], 'none'],
  ['keepRuns', { days: null, count: null }, 'none'],
  ['keepRuns', { days: 90, count: 50 }, '90d/50'],
  ['rateLimit', { perMinute: 60, burst: 10 }, '60/10'],
  ['ingestionRateLimit', undefined, 'that of all calls'],
  ['logLevel', undefined, 'info, at a terminal warn'],
])('the setting %s of %j is told as %s', (name, value, text) => {
  expect(settingText(name, value)).toBe(text);
});
