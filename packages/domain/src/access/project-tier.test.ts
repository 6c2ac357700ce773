import { describe, expect, test } from 'vitest';
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
