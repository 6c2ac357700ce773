import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Assertion, assertionKinds } from './assertion.ts';
import { evaluateAssertion, evaluateAssertions } from './evaluate-assertion.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { Transcript } from './transcript.ts';

const patterns: PatternEngine = {
  test: (pattern, text) =>
    pattern === '(' ? { problem: 'it does not compile' } : new RegExp(pattern).test(text),
};
const schemas: SchemaEngine = { check: () => ({ state: 'valid' }) };
const engines = { patterns, schemas };
const call = (toolName: string, args: Record<string, unknown> = {}) => ({
  toolName,
  arguments: args,
});
const empty: Transcript = { toolCalls: [] };
const full: Transcript = {
  toolCalls: [
    call('search', { q: 'cats', limit: 3 }),
    call('fetch'),
    call('search', { q: 'dogs' }),
  ],
  toolErrors: [],
  finalAssistantMessage: 'The Cat sat.',
  usage: { inputTokens: 60, outputTokens: 39 },
  renderObservations: [
    { toolName: 'chart', status: 'rendered', elapsedMs: 99, consoleErrors: [] },
    { toolName: 'map', status: 'mount_failed', consoleErrors: ['boom'] },
  ],
  turnCount: 2,
};
const searchCalledWith = (args: Record<string, unknown>, more: object = {}) => ({
  type: 'toolCalledWith',
  toolName: 'search',
  args: { args, ...more },
});

const table: [unknown, Transcript, boolean][] = [
  [searchCalledWith({ q: 'cats' }), full, true],
  [searchCalledWith({ q: 'cats' }), empty, false],
  [searchCalledWith({ q: 'string' }), full, true],
  [searchCalledWith({ q: 'cats' }, { argumentMatching: 'exact' }), full, false],
  [searchCalledWith({ q: 'dogs' }, { argumentMatching: 'exact' }), full, true],
  [searchCalledWith({ q: 'birds' }, { argumentMatching: 'ignore' }), full, true],
  [{ ...searchCalledWith({}), minCount: 2 }, full, true],
  [{ ...searchCalledWith({}), minCount: 3 }, full, false],
  [{ ...searchCalledWith({}), minCount: 0 }, full, false],
  [{ ...searchCalledWith({}), minCount: 1.5 }, full, false],
  [{ ...searchCalledWith({}), toolName: '' }, full, false],
  [{ type: 'toolCalledWith', toolName: 'search' }, full, false],
  [{ type: 'toolCalledAtLeastOnce', toolName: 'fetch' }, full, true],
  [{ type: 'toolCalledAtLeastOnce', toolName: 'other' }, full, false],
  [{ type: 'toolNeverCalled', toolName: 'other' }, full, true],
  [{ type: 'toolNeverCalled', toolName: 'fetch' }, full, false],
  [{ type: 'toolNeverCalled', toolName: '' }, full, false],
  [{ type: 'firstToolWas', toolName: 'search' }, full, true],
  [{ type: 'firstToolWas', toolName: 'fetch' }, full, false],
  [{ type: 'firstToolWas', toolName: 'search' }, empty, false],
  [{ type: 'onlyToolsCalled', toolNames: ['search', 'fetch', 'more'] }, full, true],
  [{ type: 'onlyToolsCalled', toolNames: ['search'] }, full, false],
  [{ type: 'onlyToolsCalled', toolNames: [] }, full, false],
  [{ type: 'onlyToolsCalled', toolNames: [] }, empty, true],
  [{ type: 'responseContains', needle: 'cat' }, full, true],
  [{ type: 'responseContains', needle: 'cat', caseSensitive: true }, full, false],
  [{ type: 'responseContains', needle: 'Cat', caseSensitive: true }, full, true],
  [{ type: 'responseContains', needle: 'dog' }, full, false],
  [{ type: 'responseContains', needle: '' }, full, false],
  [{ type: 'responseContains', needle: 'cat' }, empty, false],
  [{ type: 'responseMatches', pattern: 'C.t' }, full, true],
  [{ type: 'responseMatches', pattern: 'c.t' }, full, false],
  [{ type: 'responseMatches', pattern: '(' }, full, false],
  [{ type: 'responseMatches', pattern: '' }, full, false],
  [{ type: 'responseMatches', pattern: '(a+)+|Cat' }, full, true],
  [{ type: 'responseMatches', pattern: '(a+)+x' }, full, false],
  [
    { type: 'responseMatches', pattern: 'x' },
    { ...empty, finalAssistantMessage: 'x'.repeat(100_000) },
    true,
  ],
  [
    { type: 'responseMatches', pattern: 'x' },
    { ...empty, finalAssistantMessage: 'x'.repeat(100_001) },
    false,
  ],
  [{ type: 'responseMatches', pattern: '' }, empty, false],
  [{ type: 'noToolErrors' }, full, true],
  [{ type: 'noToolErrors' }, empty, false],
  [{ type: 'noToolErrors' }, { ...full, toolErrors: [{ kind: 'content-error' }] }, false],
  [{ type: 'noToolErrors' }, { ...full, toolErrors: [{ kind: 'protocol-error' }] }, false],
  [{ type: 'finalAssistantMessageNonEmpty' }, full, true],
  [{ type: 'finalAssistantMessageNonEmpty' }, { ...full, finalAssistantMessage: ' \n' }, false],
  [{ type: 'finalAssistantMessageNonEmpty' }, empty, false],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, full, true],
  [{ type: 'tokenBudgetUnder', tokens: 99 }, full, false],
  [
    { type: 'tokenBudgetUnder', tokens: 100 },
    { ...full, usage: { ...full.usage, totalTokens: 100 } },
    false,
  ],
  [
    { type: 'tokenBudgetUnder', tokens: 99 },
    { ...full, usage: { ...full.usage, totalTokens: 5 } },
    false,
  ],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, { ...full, usage: { totalTokens: 99 } }, true],
  [
    { type: 'tokenBudgetUnder', tokens: 100 },
    { ...full, usage: { totalTokens: 5, inputTokens: 100 } },
    false,
  ],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, { ...full, usage: { inputTokens: 1 } }, false],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, { ...full, usage: { totalTokens: -1 } }, false],
  [
    { type: 'tokenBudgetUnder', tokens: 100 },
    { ...full, usage: { totalTokens: Number.NaN } },
    false,
  ],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, { ...full, usage: {} }, false],
  [{ type: 'tokenBudgetUnder', tokens: 100 }, empty, false],
  [{ type: 'tokenBudgetUnder', tokens: 0 }, full, false],
  [{ type: 'turnCountUnder', turns: 3 }, full, true],
  [{ type: 'turnCountUnder', turns: 2 }, full, false],
  [{ type: 'turnCountUnder', turns: 3 }, empty, false],
  [{ type: 'turnCountUnder', turns: 3 }, { ...full, turnCount: -1 }, false],
  [{ type: 'turnCountUnder', turns: 3 }, { ...full, turnCount: 1.5 }, false],
  [{ type: 'turnCountUnder', turns: 3 }, { ...full, turnCount: 0 }, true],
  [{ type: 'widgetRendered' }, full, true],
  [{ type: 'widgetRendered', toolName: 'chart' }, full, true],
  [{ type: 'widgetRendered', toolName: 'map' }, full, false],
  [{ type: 'widgetRendered', toolName: 'other' }, full, false],
  [{ type: 'widgetRendered' }, empty, false],
  [{ type: 'widgetRenderLatencyUnder', ms: 100 }, full, true],
  [{ type: 'widgetRenderLatencyUnder', ms: 99 }, full, false],
  [{ type: 'widgetRenderLatencyUnder', ms: 100, toolName: 'map' }, full, false],
  [{ type: 'widgetRenderLatencyUnder', ms: 100 }, empty, false],
  [
    { type: 'widgetRenderLatencyUnder', ms: 100 },
    { ...full, renderObservations: [{ toolName: 'chart', status: 'rendered' }] },
    false,
  ],
  [{ type: 'widgetNoConsoleErrors' }, full, false],
  [{ type: 'widgetNoConsoleErrors', toolName: 'chart' }, full, true],
  [{ type: 'widgetNoConsoleErrors' }, empty, false],
  [
    { type: 'widgetNoConsoleErrors' },
    { ...full, renderObservations: [{ toolName: 'chart', status: 'rendered' }] },
    false,
  ],
];

test.each(table)('%j on this transcript', (assertion, transcript, passed) => {
  const result = evaluateAssertion(assertion, { transcript, ...engines });
  expect(result.passed).toBe(passed);
  expect(result.reason).not.toBe('');
});

test('every kind of the table passes somewhere in it and fails somewhere', () => {
  for (const type of new Set(table.map(([assertion]) => (assertion as { type: string }).type))) {
    const rows = table.filter(([assertion]) => (assertion as { type: string }).type === type);
    expect(new Set(rows.map((row) => row[2])), type).toEqual(new Set([true, false]));
  }
});

describe('where two servers have a tool of one name', () => {
  const shop = { ...call('search', { q: 'cats' }), serverId: 's1', serverName: 'Shop' };
  const wiki = { ...call('search', { q: 'dogs' }), serverId: 's2', serverName: 'Wiki' };
  const holds = (assertion: object, ...toolCalls: Transcript['toolCalls']) =>
    evaluateAssertion(assertion, { transcript: { toolCalls }, ...engines }).passed;

  test.each<[object, 'positive' | 'negative']>([
    [searchCalledWith({}), 'positive'],
    [{ type: 'toolCalledAtLeastOnce', toolName: 'search' }, 'positive'],
    [{ type: 'firstToolWas', toolName: 'search' }, 'positive'],
    [{ type: 'toolNeverCalled', toolName: 'search' }, 'negative'],
  ])('%j means that of the named server only', (assertion, kind) => {
    const named = { ...assertion, serverName: 'Wiki' };
    const isPositive = kind === 'positive';
    expect(holds(named, wiki)).toBe(isPositive);
    expect(holds(named, shop)).toBe(!isPositive);
    // A call whose server was not recorded does not count as a call of the named server.
    expect(holds(named, call('search'))).toBe(!isPositive);
    for (const one of [wiki, shop, call('search')]) expect(holds(assertion, one)).toBe(isPositive);
  });

  test('the reason says which server was meant', () => {
    const assertion = { type: 'firstToolWas', toolName: 'search', serverName: 'Wiki' };
    expect(
      evaluateAssertion(assertion, { transcript: { toolCalls: [shop] }, ...engines }).reason,
    ).toBe('The first tool called was "search" of "Shop", not "search" of "Wiki".');
  });
});

test.each([
  [full, 'The first tool called was "search", not "book".'],
  [empty, 'No tool was called; the first tool must be "book".'],
  [
    { toolCalls: [{ ...call('book'), notMade: 'notOffered' as const }] },
    'The first requested tool was "book", but the call could not be made; the first tool must be "book".',
  ],
])('a first tool that was another says which was wanted', (transcript, reason) => {
  const assertion = { type: 'firstToolWas', toolName: 'book' };
  expect(evaluateAssertion(assertion, { transcript, ...engines })).toMatchObject({
    passed: false,
    reason,
  });
});

describe('a pattern that cannot be run is the grader’s matter, neither a failure nor a pass', () => {
  const matches = (pattern: string) => ({ type: 'responseMatches', pattern });
  const long = { ...full, finalAssistantMessage: 'x'.repeat(100_001) };
  const throwing: PatternEngine = {
    test: () => {
      throw new Error('engine broke');
    },
  };
  test.each<[string, Transcript, PatternEngine]>([
    ['(', full, patterns],
    ['x', long, patterns],
    ['x', full, throwing],
  ])('%s', (pattern, transcript, engine) => {
    const result = evaluateAssertion(matches(pattern), {
      transcript,
      ...engines,
      patterns: engine,
    });
    expect(result).toMatchObject({ passed: false, evaluatorError: true });
    expect(result.reason).toContain('was not run');
  });

  test('one that ran, and a missing text, are answers', () => {
    for (const transcript of [full, empty]) {
      const result = evaluateAssertion(matches('zzz'), { transcript, ...engines });
      expect(result.passed).toBe(false);
      expect(result).not.toHaveProperty('evaluatorError');
    }
  });
});

describe('role and severity', () => {
  const base = { type: 'noToolErrors' };
  test.each([
    [{ ...base, role: 'gating' }, true],
    [{ ...base, role: 'advisory' }, true],
    [{ ...base, role: 'advisory', severity: 'warn' }, true],
    [{ ...base, severity: 'warn' }, false],
    [{ ...base, role: 'gating', severity: 'warn' }, false],
    [{ ...base, role: 'advisory', severity: 'fatal' }, false],
    [{ ...base, role: 'other' }, false],
    [{ ...base, extra: 1 }, false],
  ])('%j is well formed: %s', (assertion, wellFormed) => {
    expect(Assertion.safeParse(assertion).success).toBe(wellFormed);
    expect(evaluateAssertion(assertion, { transcript: full, ...engines }).passed).toBe(wellFormed);
  });
});

describe('fail closed', () => {
  const anyKind = fc.constantFrom(...Object.keys(assertionKinds), 'constructor', '__proto__', 'x');
  const garbage = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true }),
    fc.dictionary(fc.string(), fc.anything()),
    fc.record({ type: anyKind, toolName: fc.anything(), [`zz`]: fc.anything() }),
    fc.record({ type: anyKind, args: fc.anything(), tokens: fc.anything(), ms: fc.anything() }),
  );

  test('what is no assertion never passes and never throws', () => {
    fc.assert(
      fc.property(garbage, (assertion) => {
        fc.pre(!Assertion.safeParse(assertion).success);
        const result = evaluateAssertion(assertion, { transcript: full, ...engines });
        expect(result.passed).toBe(false);
        expect(result.reason.length).toBeGreaterThan(0);
        expect(result.reason.length).toBeLessThanOrEqual(600);
      }),
    );
  });

  test('a well-formed assertion with a field it does not declare never passes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...table.map((row) => row[0])),
        fc.anything(),
        (assertion, more) => {
          const altered = { ...(assertion as object), undeclared: more };
          expect(evaluateAssertion(altered, { transcript: full, ...engines }).passed).toBe(false);
        },
      ),
    );
  });

  test('an object that throws when it is read fails with a reason', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trapped');
        },
      },
    );
    const result = evaluateAssertion(trap, { transcript: full, ...engines });
    expect(result).toMatchObject({ passed: false, reason: expect.stringContaining('trapped') });
  });

  test('a throw while evaluating is the failure of that assertion alone', () => {
    const broken: PatternEngine = {
      test: () => {
        throw new Error(`engine broke, password=hunter2 ${'x'.repeat(900)}`);
      },
    };
    const results = evaluateAssertions(
      [{ type: 'responseMatches', pattern: 'Cat' }, { type: 'noToolErrors' }],
      { transcript: full, ...engines, patterns: broken },
    );
    expect(results.map((result) => result.passed)).toEqual([false, true]);
    expect(results[0]?.reason).toContain('engine broke');
    expect(results[0]?.reason).not.toContain('hunter2');
    expect(results[0]?.reason.length).toBeLessThan(300);
  });

  test('a transcript that cannot be read passes nothing', () => {
    for (const [assertion] of table) {
      const subject = { transcript: null as unknown as Transcript, ...engines };
      expect(evaluateAssertion(assertion, subject).passed).toBe(false);
    }
  });
});

describe('the result row', () => {
  test('echoes the assertion and says its scope only for a turn', () => {
    const assertion = { type: 'firstToolWas', toolName: 'search' };
    expect(evaluateAssertion(assertion, { transcript: full, ...engines })).toEqual({
      predicate: assertion,
      passed: true,
      reason: 'The first tool called was "search".',
    });
    const scope = { kind: 'turn', promptIndex: 1 } as const;
    expect(evaluateAssertion(assertion, { transcript: full, ...engines, scope }).scope).toEqual(
      scope,
    );
  });

  test('holds no secret of the expected or the actual arguments', () => {
    const assertion = searchCalledWith({ apiKey: 'expected-secret', q: 'cats' });
    const transcript = {
      ...full,
      toolCalls: [call('search', { apiKey: 'actual-secret', q: 'x' })],
    };
    const result = evaluateAssertion(assertion, { transcript, ...engines });
    expect(JSON.stringify(result)).not.toMatch(/expected-secret|actual-secret/);
    expect(result.predicate).toMatchObject({ args: { args: { apiKey: '[redacted]', q: 'cats' } } });
  });

  test('a malformed assertion is echoed without its secrets', () => {
    const result = evaluateAssertion(
      { type: 'x', token: 'planted' },
      { transcript: full, ...engines },
    );
    expect(JSON.stringify(result)).not.toContain('planted');
  });

  test('shows at most three of the calls it saw', () => {
    const toolCalls = Array.from({ length: 5 }, (_, index) => call('search', { q: `n${index}` }));
    const { reason } = evaluateAssertion(searchCalledWith({ q: 'cats' }), {
      transcript: { toolCalls },
      ...engines,
    });
    expect(reason).toContain('n2');
    expect(reason).not.toContain('n3');
    expect(reason).toContain('and 2 more');
  });
});

test('an empty list gives no results; on a turn the case-level kinds are dropped', () => {
  const assertions = [
    { type: 'tokenBudgetUnder', tokens: 1 },
    { type: 'noToolErrors' },
    { type: 'turnCountUnder', turns: 1 },
  ];
  const scope = { kind: 'turn', promptIndex: 0 } as const;
  expect(evaluateAssertions([], { transcript: full, ...engines })).toEqual([]);
  expect(evaluateAssertions(assertions, { transcript: full, ...engines })).toHaveLength(3);
  const onTurn = evaluateAssertions(assertions, { transcript: full, ...engines, scope });
  expect(onTurn.map((result) => result.predicate)).toEqual([{ type: 'noToolErrors' }]);
});
