import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AdmissionFacts,
  admitByLink,
  admitToCall,
  admittedBy,
  mayBeStored,
} from './admission.ts';
import { scenarioModes } from './scenario.ts';

const facts: fc.Arbitrary<AdmissionFacts> = fc.record({
  isPublished: fc.boolean(),
  isFeatureOn: fc.boolean(),
  mode: fc.constantFrom(...scenarioModes),
  accessVersion: fc.integer({ min: 1, max: 4 }),
  isProjectMember: fc.boolean(),
  isInvited: fc.boolean(),
  hasGrant: fc.boolean(),
});

const reasonOf = (admission: ReturnType<typeof admitToCall>) =>
  'refusal' in admission
    ? (admission.refusal.details?.['reason'] ?? admission.refusal.code)
    : undefined;

test('members of the project get in by every mode, invited ones by two, anybody by one', () => {
  const nobody = { isProjectMember: false, isInvited: false };
  const table = scenarioModes.map((mode) => [
    admittedBy({ mode, ...nobody, isProjectMember: true }),
    admittedBy({ mode, ...nobody, isInvited: true }),
    admittedBy({ mode, ...nobody }),
  ]);
  expect(table).toEqual([
    ['projectMember', undefined, undefined],
    ['projectMember', 'invited', undefined],
    ['projectMember', 'invited', 'anyone'],
  ]);
});

test('a wider mode keeps nobody out whom a narrower one lets in', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const widest = { ...one, mode: 'anyone_with_link' as const };
      if (admittedBy(one) !== undefined) expect(admittedBy(widest)).toBeDefined();
    }),
  );
});

describe('in the order that is promised', () => {
  test('the link: not there, switched off, not let in', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('link' as const, 'grant' as const), (one, by) => {
        const expected = !one.isPublished
          ? 'NOT_FOUND'
          : by === 'grant' && !one.hasGrant
            ? 'SCENARIO_ACCESS_DENIED'
            : !one.isFeatureOn
              ? 'FEATURE_UNAVAILABLE'
              : admittedBy(one) === undefined
                ? 'SCENARIO_ACCESS_DENIED'
                : undefined;
        expect(reasonOf(admitByLink(one, by))).toBe(expected);
      }),
    );
  });

  test('a call: unpublished, switched off, version behind, no grant', () => {
    fc.assert(
      fc.property(facts, fc.option(fc.integer({ min: 1, max: 4 })), (one, given) => {
        const version = given ?? undefined;
        const expected = !one.isPublished
          ? 'SCENARIO_ACCESS_DENIED'
          : !one.isFeatureOn
            ? 'FEATURE_UNAVAILABLE'
            : version !== undefined && version !== one.accessVersion
              ? 'SCENARIO_ACCESS_STALE'
              : !one.hasGrant || admittedBy(one) === undefined
                ? 'SCENARIO_ACCESS_DENIED'
                : undefined;
        expect(reasonOf(admitToCall(one, version))).toBe(expected);
      }),
    );
  });
});

test('nothing of somebody without a grant is kept, whatever else holds', () => {
  fc.assert(
    fc.property(facts, (one) => {
      const isAdmitted = admittedBy(one) !== undefined;
      expect(mayBeStored(one)).toBe(one.isPublished && one.hasGrant && isAdmitted);
    }),
  );
});
