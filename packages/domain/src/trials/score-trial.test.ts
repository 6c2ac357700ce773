import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import { gatingOutcome } from '../assertions/gating-scores.ts';
import { hashDefinitions } from '../assertions/hash-definitions.ts';
import { defaultMatchOptions } from '../assertions/match-options.ts';
import { Score } from '../assertions/score.ts';
import { readReportedScores } from '../ingestion/reported-scores.ts';
import { scoreHashesHold } from '../ingestion/score-hashes.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { projectSteps } from '../suites/project-steps.ts';
import type { Step } from '../suites/step.ts';
import { caseScorers, evaluationConfigOf, type ScoredCase } from './case-scorers.ts';
import { type AskedAssertion, gradeTrial } from './grade-trial.ts';
import { scoreTrial, type TrialGrade } from './score-trial.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Asserted {
  readonly assertion: Assertion;
  readonly passed: boolean;
}
const asserted = fc.record({
  passed: fc.nat(3).map((chance) => chance > 0),
  assertion: fc
    .tuple(
      fc.constantFrom<Assertion>(
        { type: 'noToolErrors' },
        { type: 'tokenBudgetUnder', tokens: 9 },
        { type: 'responseContains', needle: 'sunny' },
        { type: 'toolCalledWith', toolName: 'weather', args: { args: { city: 'Rome' } } },
      ),
      fc.boolean(),
    )
    .map(([one, advises]): Assertion => (advises ? { ...one, role: 'advisory' } : one)),
});
const trial = fc.record({
  ofSteps: fc.array(fc.array(asserted, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  ofCase: fc.array(asserted, { maxLength: 3 }),
  callsWeather: fc.boolean(),
  isNegative: fc.boolean(),
  failOnToolError: fc.boolean(),
  hasToolError: fc.boolean(),
  /** The number of the assertion at which the grader fails; undefined if it does not fail. */
  breaksAt: fc.oneof(fc.constant(undefined), fc.constant(undefined), fc.nat(12)),
});
type Trial = typeof trial extends fc.Arbitrary<infer Made> ? Made : never;

test('the gating scores of a trial hold exactly where it passed, and the set is one that a report may carry', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(trial, (made) => {
      const planned = caseOf(made);
      const { asked, grade } = play(made, planned);
      const scores = scoreTrial(caseScorers(planned, sha256), asked, grade);
      const evaluationConfig = evaluationConfigOf(planned, sha256);
      const passed = 'verdict' in grade && grade.verdict.passed;
      const joined = evaluationConfig.definitions.map((one) => ({
        ...one,
        definitionHash: sha256(canonicalJson(one)),
      }));
      const outcome = gatingOutcome(joined, scores);
      expect(outcome === 'passed').toBe(passed);
      if ('verdict' in grade) expect(outcome).not.toBe('evaluatorError');
      expect(scoreHashesHold(scores, evaluationConfig, sha256)).toBe(true);
      expect(readReportedScores({ scores, evaluationConfig }, passed)).toMatchObject({
        scoreIntegrity: 'valid',
        graderBroke: outcome === 'evaluatorError',
      });
      for (const { status } of scores) seen.add(`${status} ${passed}`);
      // Every assertion has its own row, in the order of the definitions.
      const ids = evaluationConfig.definitions.map(({ scorerId }) => scorerId);
      expect(scores.map(({ scorerId }) => scorerId)).toEqual(ids);
      for (const { assertion, result, promptIndex } of asked) {
        const own = scores.filter(({ rationale }) => rationale === result.reason);
        const value = result.passed ? 1 : 0;
        expect(own).toMatchObject([{ status: 'scored', value, passed: result.passed }]);
        expect(own[0]?.scorerId).toContain(`:${assertion.type}#`);
        if (assertion.type !== 'tokenBudgetUnder') {
          expect(own[0]?.scope?.promptIndex).toBe(promptIndex);
        }
      }
    }),
  );
  expect([...seen].sort()).toEqual(['error false', 'scored false', 'scored true', 'skipped false']);
});

test('the hash of a configuration minds what is asked and not the order of the definitions', () => {
  fc.assert(
    fc.property(trial, fc.infiniteStream(fc.nat()), (made, chance) => {
      const { hash, definitions } = evaluationConfigOf(caseOf(made), sha256);
      const shuffled = definitions
        .map((one) => [chance.next().value as number, one] as const)
        .sort(([one], [other]) => one - other)
        .map(([, one]) => one);
      expect(hashDefinitions(shuffled, sha256)).toBe(hash);
      const labelled = definitions.map((one) => ({ ...one, label: one.scorerId }));
      expect(hashDefinitions(labelled, sha256)).toBe(hash);
      // Storing a case as JSON and reading it again does not change its hash.
      const stored = JSON.parse(JSON.stringify(caseOf(made)));
      expect(evaluationConfigOf(stored, sha256).hash).toBe(hash);
      const other = caseOf({ ...made, failOnToolError: !made.failOnToolError });
      expect(evaluationConfigOf(other, sha256).hash).not.toBe(hash);
    }),
  );
});

test('definitions are those of the verdict, the calls, the whole case and the steps, in that order', () => {
  const noErrors = { assertion: { type: 'noToolErrors' } as const, passed: true };
  const advice: Asserted = {
    assertion: { type: 'responseContains', needle: 'sunny', role: 'advisory' },
    passed: true,
  };
  const planned = caseOf({
    ofSteps: [[noErrors], [noErrors]],
    ofCase: [advice],
    callsWeather: false,
    isNegative: false,
    failOnToolError: true,
    hasToolError: false,
    breaksAt: undefined,
  });
  const { definitions } = evaluationConfigOf(planned, sha256);
  expect(definitions.map(({ scorerId, role, onSkipped }) => [scorerId, role, onSkipped])).toEqual([
    ['legacy:test', 'gating', 'fail'],
    ['tool-match', 'gating', 'fail'],
    ['predicate:responseContains#1', 'advisory', 'ignore'],
    ['predicate:noToolErrors#2', 'gating', 'fail'],
    ['predicate:noToolErrors#3', 'gating', 'fail'],
  ]);
  expect(definitions.map(({ scope }) => scope?.promptIndex)).toEqual([
    ...[undefined, undefined, undefined],
    ...[0, 1],
  ]);
});

test('a row stays within its bounds, however long a reason is', () => {
  const assertion: Assertion = { type: 'toolCalledAtLeastOnce', toolName: 'weather' };
  const planned: ScoredCase = { ...caseOf(bareTrial), assertions: [assertion] };
  const result = { predicate: assertion, passed: false, reason: 'x'.repeat(5000) };
  for (const asked of [[{ assertion, result }], []]) {
    const grade = { graderError: 'y'.repeat(5000) };
    const scores = scoreTrial(caseScorers(planned, sha256), asked, grade);
    expect(scores).toHaveLength(3);
    for (const score of scores) expect(Score.safeParse(score).error).toBeUndefined();
  }
});

const bareTrial: Trial = {
  ofSteps: [[]],
  ofCase: [],
  callsWeather: false,
  isNegative: false,
  failOnToolError: true,
  hasToolError: false,
  breaksAt: undefined,
};

function caseOf({ ofSteps, ofCase, isNegative, failOnToolError }: Trial): ScoredCase {
  return {
    steps: ofSteps.flatMap((turn, index): Step[] => [
      { id: `ask-${index}`, kind: 'prompt', prompt: 'How is the weather?' },
      ...turn.map(({ assertion }, place): Step => {
        return { id: `assert-${index}-${place}`, kind: 'assert', assertion };
      }),
    ]),
    assertions: ofCase.map(({ assertion }) => assertion),
    matchOptions: defaultMatchOptions,
    isNegative,
    failOnToolError,
  };
}

/**
 * Imitates how trials are played: a failing gating assertion of a step stops the trial, and then
 * the assertions about the whole case are not evaluated.
 */
function play(made: Trial, planned: ScoredCase): { asked: AskedAssertion[]; grade: TrialGrade } {
  const ofTurns: AskedAssertion[] = [];
  const ofCase: AskedAssertion[] = [];
  const graderError = 'The trial could not be graded.';
  let number = 0;
  const ask = ({ assertion, passed }: Asserted, promptIndex?: number): AskedAssertion => {
    const result = { predicate: assertion, passed, reason: `Reason ${number}.` };
    number += 1;
    return promptIndex === undefined ? { assertion, result } : { assertion, result, promptIndex };
  };
  const steps = made.ofSteps.flatMap((turn, promptIndex) =>
    turn.map((one) => ({ one, promptIndex })),
  );
  let begun = made.ofSteps.length;
  let hasStopped = false;
  for (const { one, promptIndex } of steps) {
    if (number === made.breaksAt) return { asked: ofTurns, grade: { graderError } };
    ofTurns.push(ask(one, promptIndex));
    hasStopped = !one.passed && one.assertion.role !== 'advisory';
    if (!hasStopped) continue;
    begun = promptIndex + 1;
    break;
  }
  if (!hasStopped) for (const one of made.ofCase) ofCase.push(ask(one));
  const asked = [...ofCase, ...ofTurns];
  if (made.breaksAt !== undefined) return { asked, grade: { graderError } };
  const { match, verdict } = gradeTrial({
    planned,
    turns: projectSteps(planned.steps)
      .turns.slice(0, begun)
      .map((authored) => ({
        authored,
        actual: made.callsWeather ? [{ toolName: 'weather', arguments: { city: 'Rome' } }] : [],
      })),
    skillsOffered: false,
    asked,
    hasToolError: made.hasToolError,
    hasPinnedToolError: false,
  });
  return { asked, grade: { match, verdict } };
}
