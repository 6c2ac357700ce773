import { describe, expect, test } from 'vitest';
import { Assertion } from './assertion.ts';

const path = { type: 'toolResultPath', pointer: '/a' };
const goal = { type: 'goalCompleted', outcome: 'x' };
const scorer = { type: 'scorer', url: 'https://a.example/', threshold: 0.5 };
const contains = { type: 'toolResultContains', needle: 'x' };
const schema = (given: unknown) => ({ type: 'toolResultMatchesSchema', schema: given });
/** The schema's canonical JSON is {"const":"…"}, which adds 12 bytes to the text. */
const schemaOf = (bytes: number) => schema({ const: 'x'.repeat(bytes - 12) });

test.each<[object, boolean]>([
  [{ type: 'toolCallCountUnder', count: 1 }, true],
  [{ type: 'toolCallCountUnder', count: 0 }, false],
  [{ type: 'toolCallCountUnder', count: 1.5 }, false],
  [{ type: 'toolCalledBefore', toolName: 'a' }, false],
  [{ type: 'toolLatencyUnder', ms: 0 }, false],
  [{ type: 'toolResultSizeUnder', maxBytes: 0 }, false],
  [{ ...contains, needle: '' }, false],
  [{ ...contains, needle: 'x'.repeat(5000) }, true],
  [{ ...contains, needle: 'x'.repeat(5001) }, false],
  [{ type: 'toolInputMatches', pattern: 'x' }, false],
  [{ type: 'toolResultMatches', pattern: '' }, false],
  [schemaOf(32 * 1024), true],
  [schemaOf(32 * 1024 + 1), false],
  [schema({ const: 'é'.repeat(16 * 1024) }), false],
  [schema(true), false],
  [schema({ type: 'text' }), false],
  [schema({ properties: { a: 1 } }), false],
  [schema({ $ref: '#/$defs/gone' }), false],
  [path, false],
  [{ ...path, exists: true }, true],
  [{ ...path, exists: 1 }, false],
  [{ ...path, equals: null }, true],
  [{ ...path, min: 1, max: 2 }, false],
  [{ ...path, pointer: 'a', exists: true }, false],
  [{ ...path, pointer: '/a~2', exists: true }, false],
  [{ ...path, pointer: '', exists: true }, true],
  [{ type: 'responseCloseTo', reference: '?!', threshold: 0.5 }, false],
  [{ type: 'responseCloseTo', reference: 'a', threshold: 1.01 }, false],
  [{ type: 'toolDescriptionsPresent', minLength: 0 }, false],
  [goal, true],
  [{ ...goal, outcome: '' }, false],
  [{ ...goal, votes: 3 }, true],
  [{ ...goal, votes: 2 }, false],
  [{ ...goal, threshold: 1.1 }, false],
  [scorer, true],
  [{ ...scorer, url: 'ftp://a.example/' }, false],
  [{ ...scorer, url: 'https://user:pass@a.example/' }, false],
  [{ ...scorer, url: 'https://user@a.example/' }, false],
  [{ ...scorer, url: `https://a.example/${'x'.repeat(2000)}` }, false],
  [{ ...scorer, url: 'nowhere' }, false],
  [{ ...scorer, timeoutMs: 30_000 }, true],
  [{ ...scorer, timeoutMs: 30_001 }, false],
  [{ ...scorer, threshold: undefined }, false],
])('%j is well formed: %s', (assertion, isWellFormed) => {
  expect(Assertion.safeParse(assertion).success).toBe(isWellFormed);
});

describe('an observation', () => {
  test.each([
    'noDeprecatedToolCalled',
    'toolErrorNamesInput',
    'fullPageHasContinuation',
    'noEndingQuestion',
    'noDeprecatedToolExposed',
  ])('%s advises and cannot gate', (type) => {
    expect(Assertion.safeParse({ type, role: 'advisory', severity: 'warn' }).success).toBe(true);
    for (const role of [undefined, 'gating']) {
      const { error } = Assertion.safeParse({ type, ...(role && { role }) });
      expect(error?.issues).toMatchObject([
        {
          path: ['role'],
          message: `The assertion ${type} cannot fail a trial; write role: "advisory".`,
        },
      ]);
    }
  });
});

test('of several questions about a path the refusal says what to do', () => {
  const { error } = Assertion.safeParse(path);
  expect(error?.issues[0]?.message).toBe(
    'State exactly one of equals, contains, exists, min and max.',
  );
});
