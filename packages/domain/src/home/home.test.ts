import { describe, expect, test } from 'vitest';
import type { DoctorFindings } from '../doctor/doctor-report.ts';
import { doctorChecks } from '../doctor/doctor-words.ts';
import {
  healthOfServer,
  isServerInTrouble,
  serverHealthSentence,
} from '../doctor/server-health.ts';
import { isFirstStart, isWaiverEnding, orderDecisions, standingOfRun } from './home.ts';

const day = 86_400_000;

test.each([
  ['failed', 'completed', false, 'failing'],
  ['failed', 'completed', true, 'waived'],
  ['failed', 'cancelled', false, 'failing'],
  ['passed', 'completed', false, 'settled'],
  ['inconclusive', 'completed', false, 'undecided'],
  ['inconclusive', 'timed_out', false, 'undecided'],
  ['notEstablished', 'failed', false, 'undecided'],
  ['notEstablished', 'cancelled', false, 'settled'],
  ['inconclusive', 'cancelled', false, 'settled'],
] as const)('a run that is %s and %s (waived: %s) is %s', (verdict, status, isWaived, standing) => {
  expect(standingOfRun({ verdict, status, isWaived })).toBe(standing);
});

test('a waiver is told in its last three days, and never after its end', () => {
  expect(isWaiverEnding(3 * day, 0)).toBe(true);
  expect(isWaiverEnding(3 * day + 1, 0)).toBe(false);
  expect(isWaiverEnding(1, 0)).toBe(true);
  expect(isWaiverEnding(0, 0)).toBe(false);
});

test('what stops every test comes first; waivers by their end, all else the latest first', () => {
  const ordered = orderDecisions([
    { kind: 'runUndecided', at: 1, id: 'older' },
    { kind: 'runUndecided', at: 2, id: 'newer' },
    { kind: 'waiverEnding', at: 9, id: 'later' },
    { kind: 'waiverEnding', at: 5, id: 'sooner' },
    { kind: 'scheduleRefused', at: 1, id: 'refused' },
    { kind: 'serverInTrouble', at: 1, id: 'silent' },
  ]);
  expect(ordered.map(({ id }) => id)).toEqual([
    ...['silent', 'refused', 'sooner', 'later', 'newer', 'older'],
  ]);
});

test('a first start is over with the first server or suite of one’s own', () => {
  expect(isFirstStart({ servers: 0, suites: 0 })).toBe(true);
  expect(isFirstStart({ servers: 1, suites: 0 })).toBe(false);
  expect(isFirstStart({ servers: 0, suites: 1 })).toBe(false);
});

describe('the health of a server', () => {
  const checks = (failed: readonly string[]) =>
    Object.fromEntries(
      doctorChecks.map((name) => [
        name,
        { status: failed.includes(name) ? 'error' : 'ok', detail: 'http://secret.example' },
      ]),
    ) as DoctorFindings['checks'];

  test('is its status and the first check that failed, and nothing of its own words', () => {
    const found = { status: 'error', checks: checks(['connection', 'tools']) } as const;
    const health = healthOfServer(found, 7);
    expect(health).toEqual({ status: 'error', failedCheck: 'connection', checkedAtMs: 7 });
    expect(serverHealthSentence(health)).toBe('does not answer as MCP: no session could be opened');
    expect(healthOfServer({ status: 'ready', checks: checks([]) }, 7).failedCheck).toBeNull();
  });

  test('is trouble where tests can only fail', () => {
    const troubled = (['ready', 'partial', 'oauth_required', 'error'] as const).filter((status) =>
      isServerInTrouble({ status }),
    );
    expect(troubled).toEqual(['oauth_required', 'error']);
  });
});
