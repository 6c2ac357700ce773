import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import { evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import { defaultMatchOptions } from '../assertions/match-options.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { deriveChain } from '../chain/derive-chain.ts';
import { bare } from '../chain/evidence.fixture.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import { authoredFacts } from '../suites/project-steps.ts';
import { expectedCallsOf } from './expected-calls.ts';
import {
  type AskedAssertion,
  assertionEvidence,
  gradeTrial,
  type PlayedTrial,
} from './grade-trial.ts';
import { summarizeTurns } from './summarize-turns.ts';

const planned = { isNegative: false, matchOptions: defaultMatchOptions, failOnToolError: true };
const rome: ToolCall = { toolName: 'weather', arguments: { city: 'Rome' } };
const oslo: ToolCall = { toolName: 'weather', arguments: { city: 'Oslo' } };
const clock: ToolCall = { toolName: 'clock', arguments: {} };
const engines = {
  patterns: { test: () => false },
  schemas: { check: () => ({ state: 'valid' as const }) },
} as const;

test('a gating call of the whole case that was not made shows in the chain, once', () => {
  const rows = [
    [[], 1, 'exact', 'selection', 'missingToolCall'],
    [[clock], 1, 'partial', 'selection', 'missingToolCall'],
    [[oslo], 1, 'partial', 'call', 'argumentMismatch'],
    [[rome], 2, 'partial', 'selection', 'missingToolCall'],
    [[rome, oslo], 2, 'partial', 'call', 'argumentMismatch'],
    [[oslo], 1, 'ignore', undefined, undefined],
    [[rome], 1, 'partial', undefined, undefined],
  ] as const;
  for (const [actual, minCount, argumentMatching, stage, reason] of rows) {
    const assertion = calledWith({ city: 'Rome' }, { minCount, argumentMatching });
    const played = playedWith([...actual], { ofCase: [assertion] });
    const { turns, verdict } = gradeTrial(played);
    const chain = chainOf(played, turns);
    expect([chain.firstFailedStage, failedReason(chain)]).toEqual([stage, reason]);
    expect(verdict.passed).toBe(stage === undefined);
  }
});

test('a step that failed fails the trial, whatever else was seen and whatever is forgiven', () => {
  for (const failOnToolError of [true, false]) {
    const played = { ...playedWith([rome], {}), planned: { ...planned, failOnToolError } };
    expect(gradeTrial(played).verdict.passed).toBe(true);
    const { passed, failures } = gradeTrial({ ...played, hasFailedStep: true }).verdict;
    expect([passed, failures]).toEqual([false, ['stepFailed']]);
  }
});

const spanIds = new Map([
  [rome.arguments, 'span-rome'],
  [oslo.arguments, 'span-oslo'],
  [clock.arguments, 'span-clock'],
]);
const spanIdOf = (call: Pick<ToolCall, 'arguments'>) => spanIds.get(call.arguments as never);

test('turns name the spans of calls with other arguments and of calls beyond those expected', () => {
  const played = { ...playedWith([oslo, clock], { expected: [rome] }), spanIdOf };
  expect(gradeTrial(played).turns).toEqual([
    expect.objectContaining({
      mismatchedSpanIds: ['span-oslo'],
      unexpectedSpanIds: ['span-clock'],
    }),
  ]);
  const assertion = calledWith({ city: 'Rome' });
  const ofCase = { ...playedWith([oslo], { ofCase: [assertion] }), spanIdOf };
  expect(gradeTrial(ofCase).turns[1]).toMatchObject({ mismatchedSpanIds: ['span-oslo'] });
  const clean = { ...playedWith([rome], { expected: [rome] }), spanIdOf };
  expect(gradeTrial(clean).turns[0]).not.toHaveProperty('mismatchedSpanIds');
});

test.each<[Assertion, string[] | undefined]>([
  [{ type: 'toolNeverCalled', toolName: 'weather' }, ['span-rome', 'span-oslo']],
  [{ type: 'firstToolWas', toolName: 'clock' }, ['span-rome']],
  [{ type: 'onlyToolsCalled', toolNames: ['weather'] }, ['span-clock']],
  [{ type: 'toolNeverCalled', toolName: 'gone' }, undefined],
  [{ type: 'toolCalledAtLeastOnce', toolName: 'gone' }, undefined],
])('an assertion that forbids calls names those that broke it: %j', (assertion, named) => {
  const calls = [rome, oslo, clock];
  const played = { ...playedWith(calls, { ofCase: [assertion] }), spanIdOf };
  const [evidence] = assertionEvidence(played.asked, calls, spanIdOf);
  expect(evidence?.spanIds).toEqual(named);
});

test('an unmet expectation that the turn tells already is not told twice', () => {
  const assertion = calledWith({ city: 'Rome' });
  const played = playedWith([oslo], { expected: [rome], ofStep: [assertion] });
  const { turns } = gradeTrial(played);
  expect(turns).toHaveLength(1);
  expect(turns[0]).toMatchObject({ argumentMismatchCount: 1, passed: false });
});

test('a pinned turn is no evidence of choosing, and a negative test passes beside it', () => {
  const played: PlayedTrial = {
    ...playedWith([], {}),
    planned: { ...planned, isNegative: true },
    turns: [turnOf(0, 'toolCall', [rome]), turnOf(1, 'prompt', [])],
  };
  const { turns, verdict } = gradeTrial(played);
  expect(turns).toEqual([
    expect.objectContaining({ promptIndex: 1, calledCount: 0, passed: true }),
  ]);
  expect(verdict.passed).toBe(true);
});

test('skill tools are not counted as calls of a negative test', () => {
  const load: ToolCall = { toolName: 'loadSkill', arguments: {} };
  const played: PlayedTrial = {
    ...playedWith([load], {}),
    planned: { ...planned, isNegative: true },
    skillsOffered: true,
  };
  expect(gradeTrial(played)).toMatchObject({
    turns: [{ calledCount: 0 }],
    verdict: { passed: true },
  });
  expect(gradeTrial({ ...played, skillsOffered: false }).verdict.passed).toBe(false);
});

test('a summary names the arguments that differ', () => {
  const played = playedWith(
    [{ toolName: 'weather', arguments: { city: 'Oslo', day: 1, unit: 'C' } }],
    {
      expected: [{ toolName: 'weather', arguments: { city: 'Rome', day: 'number', hour: 'any' } }],
    },
  );
  const summary = summarizeTurns(played, gradeTrial(played).match);
  expect(summary).toMatchObject([
    { passed: false, argumentMismatches: [{ mismatchedArguments: ['city', 'hour'] }] },
  ]);
  const exact = {
    ...played,
    planned: {
      ...planned,
      matchOptions: { ...defaultMatchOptions, argumentMatching: 'exact' as const },
    },
  };
  const exactSummary = summarizeTurns(exact, gradeTrial(exact).match);
  expect(exactSummary[0]?.argumentMismatches[0]?.mismatchedArguments).toEqual([
    'city',
    'day',
    'hour',
    'unit',
  ]);
});

test('expected calls of a case are those of its steps, then those of the whole case, without advice', () => {
  const step = (id: string, assertion: Assertion) => ({ id, kind: 'assert', assertion }) as const;
  const planned = {
    steps: [step('a', calledWith({ n: 1 })), step('b', calledWith({ n: 2 }, { role: 'advisory' }))],
    assertions: [
      calledWith({ n: 3 }),
      { type: 'noToolErrors' as const },
      calledWith({ n: 4 }, { role: 'advisory' }),
    ],
    isNegative: false,
  };
  expect(expectedCallsOf(planned).map((call) => call.arguments['n'])).toEqual([1, 3]);
  expect(expectedCallsOf({ ...planned, isNegative: true })).toEqual([]);
});

test('the tool that was to come first is among the expected calls, once', () => {
  const first = (toolName: string, more: object = {}) =>
    ({ type: 'firstToolWas', toolName, ...more }) as const;
  const ask = { id: 'p', kind: 'prompt', prompt: 'Hello' } as const;
  const step = (assertion: ReturnType<typeof first>) =>
    ({ id: assertion.toolName, kind: 'assert', assertion }) as const;
  const named = (assertions: ReturnType<typeof first>[], steps: ReturnType<typeof step>[] = []) =>
    expectedCallsOf({ isNegative: false, steps: [ask, ...steps], assertions });
  expect(named([first('search')])).toEqual([{ toolName: 'search', arguments: {} }]);
  expect(named([first('search')], [step(first('search')), step(first('fetch'))])).toEqual([
    { toolName: 'search', arguments: {} },
    { toolName: 'fetch', arguments: {} },
  ]);
  expect(named([first('search', { role: 'advisory' })])).toEqual([]);
  expect(
    expectedCallsOf({ isNegative: true, steps: [ask], assertions: [first('search')] }),
  ).toEqual([]);
});

test('a tool that was to be called is expected, how often and how its arguments are compared too', () => {
  const ask = { id: 'p', kind: 'prompt', prompt: 'Hello' } as const;
  const step = (assertion: Assertion) => ({ id: 'a', kind: 'assert', assertion }) as const;
  const stated = (ofStep: Assertion, ofCase: Assertion, matchOptions = defaultMatchOptions) =>
    expectedCallsOf({
      isNegative: false,
      steps: [ask, step(ofStep)],
      assertions: [ofCase],
      matchOptions,
    });
  const once: Assertion = { type: 'toolCalledAtLeastOnce', toolName: 'clock' };
  const twice = calledWith({ city: 'Rome' }, { minCount: 2 });
  expect(stated(twice, once)).toEqual([
    { ...rome, minCount: 2 },
    { toolName: 'clock', arguments: {} },
  ]);
  expect(stated(once, { ...once, role: 'advisory' })).toEqual([
    { toolName: 'clock', arguments: {} },
  ]);
  const exact = calledWith({ city: 'Rome' }, { argumentMatching: 'exact' });
  expect(stated(once, exact)).toContainEqual({ ...rome, argumentMatching: 'exact' });
  const byOptions = { ...defaultMatchOptions, argumentMatching: 'exact' } as const;
  expect(stated(twice, once, byOptions)).toContainEqual({
    ...rome,
    minCount: 2,
    argumentMatching: 'exact',
  });
  // Equal calls expected for a step and for the whole case are listed once.
  expect(stated(twice, twice)).toHaveLength(1);
});

test('a failed trial without tool errors always has a failed stage, and a passed one never', () => {
  const call = fc.record({
    toolName: fc.constantFrom('weather', 'clock'),
    arguments: fc.record({ city: fc.constantFrom('Rome', 'Oslo') }),
  });
  const assertion = fc.oneof(
    fc
      .record({
        city: fc.constantFrom('Rome', 'Oslo', 'any'),
        minCount: fc.integer({ min: 1, max: 3 }),
      })
      .map(({ city, minCount }) => calledWith({ city }, { minCount })),
    fc.constantFrom<Assertion>(
      { type: 'toolCalledAtLeastOnce', toolName: 'clock' },
      { type: 'toolNeverCalled', toolName: 'weather' },
      { type: 'noToolErrors' },
      { type: 'onlyToolsCalled', toolNames: ['weather'] },
      { type: 'firstToolWas', toolName: 'weather', role: 'advisory' },
    ),
  );
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 4 }),
      fc.array(call, { maxLength: 3 }),
      fc.array(assertion, { maxLength: 3 }),
      fc.array(assertion, { maxLength: 3 }),
      (actual, expected, ofCase, ofStep) => {
        const played = playedWith(actual, { expected, ofCase, ofStep });
        const { turns, verdict } = gradeTrial(played);
        const chain = chainOf(played, turns);
        expect(chain.firstFailedStage === undefined).toBe(verdict.passed);
      },
    ),
  );
});

function calledWith(
  args: Record<string, unknown>,
  more: {
    minCount?: number;
    argumentMatching?: 'exact' | 'partial' | 'ignore';
    role?: 'advisory';
  } = {},
): Extract<Assertion, { type: 'toolCalledWith' }> {
  const { argumentMatching, ...others } = more;
  return {
    type: 'toolCalledWith',
    toolName: 'weather',
    args: { args, ...(argumentMatching && { argumentMatching }) },
    ...others,
  };
}

function turnOf(
  promptIndex: number,
  opener: 'prompt' | 'toolCall',
  actual: ToolCall[],
  expected: ToolCall[] = [],
) {
  return { authored: { promptIndex, opener, prompt: '', expected, stated: expected }, actual };
}

function playedWith(
  actual: ToolCall[],
  {
    expected = [],
    ofCase = [],
    ofStep = [],
  }: { expected?: ToolCall[]; ofCase?: Assertion[]; ofStep?: Assertion[] },
): PlayedTrial {
  const subject = { transcript: { toolCalls: actual, toolErrors: [] }, ...engines };
  const ask = (assertion: Assertion): AskedAssertion => ({
    assertion,
    result: evaluateKnownAssertion(assertion, subject),
  });
  return {
    planned,
    turns: [turnOf(0, 'prompt', actual, expected)],
    skillsOffered: false,
    asked: [...ofCase.map(ask), ...ofStep.map((one) => ({ ...ask(one), promptIndex: 0 }))],
    hasToolError: false,
    hasPinnedToolError: false,
  };
}

function chainOf(played: PlayedTrial, turns: ReturnType<typeof gradeTrial>['turns']) {
  const assertions = played.asked.map(({ assertion }) => assertion);
  const facts = authoredFacts({
    steps: [],
    assertions,
    isNegative: false,
  } as unknown as PlannedCase);
  const expectsToolCall =
    facts.expectsToolCall || played.turns.some(({ authored }) => authored.expected.length > 0);
  return deriveChain({
    ...bare,
    authored: { ...facts, hasPrompt: true, expectsToolCall },
    toolCount: 2,
    turns,
    assertions: assertionEvidence(played.asked),
  });
}

function failedReason(chain: ReturnType<typeof chainOf>) {
  return chain.stageResults.find(({ state }) => state === 'failed')?.reason;
}
