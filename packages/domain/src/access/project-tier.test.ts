import { describe, expect, test } from 'vitest';
import { projectCapabilities } from './capabilities.ts';
import { operatesInstallation } from './operates-installation.ts';
import { projectTier, tierAllows } from './project-tier.ts';

describe('the tier in a project', () => {
  test.each([
    ['owner', 'private', null, 'admin'],
    ['admin', 'private', null, 'admin'],
    ['owner', 'public', 'member', 'admin'],
    ['member', 'public', null, 'member'],
    ['member', 'private', null, undefined],
    ['member', 'private', 'member', 'member'],
    ['member', 'private', 'manage', 'manage'],
    ['member', 'public', 'admin', 'admin'],
  ] as const)(
    '%s, %s project, granted %s: %s',
    (organizationRole, visibility, grantedTier, tier) => {
      expect(projectTier({ organizationRole, visibility, grantedTier })).toBe(tier);
    },
  );

  test.each([
    [undefined, 'member', false],
    ['member', 'member', true],
    ['member', 'manage', false],
    ['manage', 'manage', true],
    ['manage', 'admin', false],
    ['admin', 'member', true],
    ['admin', 'admin', true],
  ] as const)('%s where %s is needed: %s', (held, needed, allowed) => {
    expect(tierAllows(held, needed)).toBe(allowed);
  });
});

test.each([
  ['owner', true],
  ['admin', true],
  ['member', false],
  [undefined, false],
] as const)('%s of the first organization operates the installation: %s', (role, may) => {
  expect(operatesInstallation(role)).toBe(may);
});

describe('capabilities', () => {
  const everything = { swarms: true, userTesting: true, deletingRuns: true };
  const nothing = { swarms: false, userTesting: false, deletingRuns: false };
  const full = { scope: 'full' as const };
  const on = { ...full, swarms: true, userTesting: true, offers: everything };
  const off = { ...full, swarms: false, userTesting: false, offers: everything };

  test('a feature that is off leaves only the ways back', () => {
    expect(projectCapabilities({ tier: 'admin', ...off })).toMatchObject({
      writeSwarms: false,
      launchJourneyRun: false,
      publishUserTestingScenario: false,
      cancelJourneyRun: true,
      unpublishUserTestingScenario: true,
    });
  });

  test('what the service has no operation for is never promised, whatever is switched on', () => {
    const can = projectCapabilities({ tier: 'admin', ...on, offers: nothing });
    const promised = Object.entries(can).flatMap(([name, may]) => (may ? [name] : []));
    expect(promised).toEqual([
      'readEvals',
      'writeEvalSuites',
      'launchEvalRun',
      'deleteAnyEvalSuite',
      'exportEvalTraces',
    ]);
  });

  test.each([
    ['read-only', ['readSwarms', 'readUserTesting', 'readEvals', 'exportEvalTraces']],
    [
      'run-only',
      ['readSwarms', 'readUserTesting', 'launchJourneyRun', 'cancelJourneyRun', 'readEvals'].concat(
        ['launchEvalRun', 'exportEvalTraces'],
      ),
    ],
  ] as const)('a %s key is promised no more than its scope', (scope, expected) => {
    const can = projectCapabilities({ tier: 'admin', ...on, scope });
    const promised = Object.entries(can).flatMap(([name, may]) => (may ? [name] : []));
    expect(promised).toEqual(expected);
  });

  test('publishing needs the feature and the admin tier', () => {
    expect(projectCapabilities({ tier: 'admin', ...on }).publishUserTestingScenario).toBe(true);
    expect(projectCapabilities({ tier: 'manage', ...on }).publishUserTestingScenario).toBe(false);
  });

  test('deleting what others made needs the manage tier', () => {
    expect(projectCapabilities({ tier: 'member', ...off }).deleteAnyEvalSuite).toBe(false);
    expect(projectCapabilities({ tier: 'manage', ...off }).deleteAnyEvalSuite).toBe(true);
  });
});
