import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isRise,
  losesLastOwner,
  type MemberChange,
  type MemberStanding,
  mayManageAccount,
  mayManageRole,
} from './members.ts';
import { type OrganizationRole, organizationRoles } from './roles.ts';

const role = fc.constantFrom(...organizationRoles);

describe('looking after members', () => {
  test.each<[OrganizationRole, OrganizationRole, boolean]>([
    ['owner', 'owner', true],
    ['owner', 'member', true],
    ['admin', 'owner', false],
    ['admin', 'admin', true],
    ['admin', 'member', true],
    ['member', 'member', false],
    ['member', 'owner', false],
  ])('%s over %s: %s', (own, other, may) => {
    expect(mayManageRole(own, other)).toBe(may);
  });

  test.each<[OrganizationRole, OrganizationRole, boolean]>([
    ['member', 'admin', true],
    ['admin', 'owner', true],
    ['admin', 'admin', false],
    ['owner', 'admin', false],
  ])('%s to %s is a rise: %s', (former, next, rises) => {
    expect(isRise(former, next)).toBe(rises);
  });

  test('what one may give, and then look after, is never more than one is', () => {
    fc.assert(
      fc.property(role, role, role, (own, given, other) => {
        if (mayManageRole(own, given) && mayManageRole(given, other)) {
          expect(mayManageRole(own, other)).toBe(true);
        }
      }),
    );
  });
});

describe('an account as a whole', () => {
  const membership = fc.record({
    role,
    callerRole: fc.option(role),
  });

  test('is looked after by who may in every organization it belongs to', () => {
    fc.assert(
      fc.property(fc.array(membership, { maxLength: 5 }), (memberships) => {
        const each = memberships.map((one) => mayManageAccount([one]));
        expect(mayManageAccount(memberships)).toBe(!each.includes(false));
      }),
    );
  });

  test('is not looked after from outside', () => {
    expect(mayManageAccount([{ role: 'member', callerRole: null }])).toBe(false);
    expect(
      mayManageAccount([
        { role: 'member', callerRole: 'owner' },
        { role: 'member', callerRole: null },
      ]),
    ).toBe(false);
  });
});

describe('the last owner', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const members = fc
    .tuple(...ids.map(() => fc.record({ role, isDisabled: fc.boolean() })))
    .map((standings) => standings.map((one, at) => ({ ...one, accountId: ids[at] as string })));
  const change: fc.Arbitrary<MemberChange> = fc.oneof(
    fc.constantFrom<MemberChange>('removed', 'disabled'),
    fc.record({ role }),
  );
  const canOwn = (all: readonly MemberStanding[]) =>
    all.some((member) => member.role === 'owner' && !member.isDisabled);

  test('stays, whatever is asked for one after the other', () => {
    const asked = fc.array(fc.tuple(fc.constantFrom(...ids), change), { maxLength: 12 });
    fc.assert(
      fc.property(members, asked, (start, changes) => {
        let now: MemberStanding[] = start;
        for (const [accountId, wanted] of changes) {
          if (losesLastOwner(now, accountId, wanted)) continue;
          const hadOne = canOwn(now);
          now = now.flatMap((member) => {
            if (member.accountId !== accountId) return [member];
            if (wanted === 'removed') return [];
            return wanted === 'disabled'
              ? [{ ...member, isDisabled: true }]
              : [{ ...member, role: wanted.role }];
          });
          if (hadOne) expect(canOwn(now)).toBe(true);
        }
      }),
    );
  });

  test('holds up nothing that leaves an owner', () => {
    fc.assert(
      fc.property(members, change, (all, wanted) => {
        const owners = all.filter((one) => one.role === 'owner' && !one.isDisabled);
        for (const { accountId } of all) {
          if (owners.some((owner) => owner.accountId !== accountId)) {
            expect(losesLastOwner(all, accountId, wanted)).toBe(false);
          }
        }
      }),
    );
  });
});
