/**
 * Grades a session from what is stored of it: every criterion over the whole conversation, as assertions of a case are
 * read, and the chain by the analyzer of trials. The same input gives the same bytes. Where one criterion cannot be
 * answered, nothing of the session is graded: that says nothing about the server.
 */
import { isAdvisory } from '../assertions/assertion.ts';
import { evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import { defaultMatchOptions } from '../assertions/match-options.ts';
import type { PatternEngine } from '../assertions/pattern-engine.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { isAboutChoice } from '../chain/assertion-owner.ts';
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { JudgeEvidence, TrialEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import { type AskedAssertion, assertionEvidence, gradeTurns } from '../trials/grade-trial.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import type { CriterionGrade } from './scorecard.ts';
import { factsOfRubric } from './session-chain.ts';
import type { SessionEvidence } from './session-evidence.ts';

type Asked = Pick<JourneySnapshot, 'rubric' | 'judge'>;

export interface SessionGrade {
  /** In the order of the rubric; empty where the grader failed. */
  readonly criteria: readonly CriterionGrade[];
  /** By gating criteria alone; null where the grader failed, and without a rubric. */
  readonly result: 'passed' | 'failed' | null;
  readonly chain: DerivedChain;
  readonly graderError?: string;
}

export function gradeSession(
  { rubric, judge }: Asked,
  evidence: SessionEvidence,
  patterns: PatternEngine,
  /** What a judge said, where one was asked; until then its word is waited for. */
  said: JudgeEvidence | undefined = owedBy({ judge }),
): SessionGrade {
  const asked = rubric.map(
    ({ predicate }): AskedAssertion => ({
      assertion: predicate,
      result: evaluateKnownAssertion(predicate, { transcript: evidence.transcript, patterns }),
    }),
  );
  const unanswered = asked.find(({ result }) => result.evaluatorError === true);
  const trial = withJudge(trialOf({ rubric, judge }, evidence, asked), said);
  if (unanswered !== undefined) {
    return {
      ...{ criteria: [], result: null, graderError: unanswered.result.reason },
      chain: deriveChain({ ...trial, evaluatorError: true }),
    };
  }
  const gating = asked.filter(({ assertion }) => !isAdvisory(assertion));
  const hasPassed = gating.every(({ result }) => result.passed);
  return {
    criteria: rubric.map(({ id }, index) => {
      const { passed = false, reason = '' } = asked[index]?.result ?? {};
      return { criterionId: id, passed, reason };
    }),
    result: rubric.length === 0 ? null : hasPassed ? 'passed' : 'failed',
    chain: deriveChain(trial),
  };
}

function owedBy({ judge }: Pick<Asked, 'judge'>): JudgeEvidence | undefined {
  return judge === null ? undefined : { status: 'pending' };
}

function withJudge(trial: TrialEvidence, judge: JudgeEvidence | undefined): TrialEvidence {
  return judge === undefined ? trial : { ...trial, judge };
}

function trialOf(
  { rubric, judge }: Asked,
  evidence: SessionEvidence,
  asked: readonly AskedAssertion[],
): TrialEvidence {
  const gating = rubric.filter(({ predicate }) => !isAdvisory(predicate));
  const calls = evidence.turns.flat();
  const spanIds = new Map(calls.map((call) => [call.arguments, call.spanId]));
  const spanIdOf = (call: Pick<ToolCall, 'arguments'>) => spanIds.get(call.arguments);
  const choosing = gating.some(({ predicate }) => isAboutChoice(predicate.type));
  return {
    ...evidence.seen,
    // A judge measures against the goal.
    authored: { ...factsOfRubric(rubric), hasExpectedOutput: judge !== null },
    // Where no criterion is about the choice of tools, nobody measured it.
    turns: choosing && asked.length > 0 ? turnsOf(evidence, asked, spanIdOf) : [],
    assertions: assertionEvidence(asked, calls, spanIdOf),
    renders: [],
  };
}

/** To the matcher a session is one turn with free calls; what is told of a call says the turn it was made in. */
function turnsOf(
  { turns }: SessionEvidence,
  asked: readonly AskedAssertion[],
  spanIdOf: (call: Pick<ToolCall, 'arguments'>) => string | undefined,
): TurnEvidence[] {
  const turnOfSpan = new Map(
    turns.flatMap((calls, index) => calls.map(({ spanId }) => [spanId, index] as const)),
  );
  const graded = gradeTurns({
    planned: { isNegative: false, matchOptions: defaultMatchOptions, failOnToolError: false },
    turns: [
      {
        authored: { promptIndex: 0, opener: 'prompt', prompt: '', expected: [], stated: [] },
        actual: turns.flat(),
      },
    ],
    skillsOffered: false,
    asked,
    hasToolError: false,
    hasPinnedToolError: false,
    spanIdOf,
  });
  return graded.turns.map(({ promptIndex: _, ...told }) => {
    const [first] = told.mismatchedSpanIds ?? [];
    const promptIndex = first === undefined ? undefined : turnOfSpan.get(first);
    return promptIndex === undefined ? told : { ...told, promptIndex };
  });
}
