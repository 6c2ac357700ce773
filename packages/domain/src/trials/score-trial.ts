/**
 * Turns a graded trial into scores: the measured value, or else 1 for passed and 0 for failed.
 * Assertions after a failed step get the status skipped. If the grader failed, every undecided
 * score becomes an error, including the one of the verdict. A trial passed if and only if all
 * gating scores pass.
 */
import type { ToolCallMatch } from '../assertions/match-tool-calls.ts';
import type { MeasuredScore } from '../assertions/measured-score.ts';
import { capText } from '../assertions/redact.ts';
import type { Score, ScoreStatus } from '../assertions/score.ts';
import type { TrialFailure, TrialVerdict } from '../assertions/trial-verdict.ts';
import type { CaseScorer, CaseScorers } from './case-scorers.ts';
import type { AskedAssertion } from './grade-trial.ts';

export type TrialGrade =
  | { readonly match: ToolCallMatch; readonly verdict: TrialVerdict }
  /** `match` is present if the calls were matched before the grader failed. */
  | { readonly graderError: string; readonly match?: ToolCallMatch };

/**
 * `asked` has the same order as the scorers: first assertions about the whole case, then those of
 * the steps.
 */
export function scoreTrial(
  { verdict, match, ofCase, ofSteps }: CaseScorers,
  asked: readonly AskedAssertion[],
  grade: TrialGrade,
): Score[] {
  const scores =
    'graderError' in grade
      ? [unanswered(verdict, grade), scoreMatch(match, grade)]
      : [
          answered(verdict, grade.verdict.passed, describeFailures(grade.verdict)),
          scoreMatch(match, grade),
        ];
  const ofTurns = asked.findIndex(({ promptIndex }) => promptIndex !== undefined);
  const askedOfCase = ofTurns < 0 ? asked.length : ofTurns;
  for (const [index, scorer] of ofCase.entries()) {
    scores.push(...scoreAssertion(scorer, index < askedOfCase ? asked[index] : undefined, grade));
  }
  for (const [index, scorer] of ofSteps.entries()) {
    scores.push(...scoreAssertion(scorer, asked[askedOfCase + index], grade));
  }
  return scores;
}

function scoreMatch(scorer: CaseScorer, grade: TrialGrade): Score {
  const { match } = grade;
  return match === undefined
    ? unanswered(scorer, grade)
    : answered(scorer, match.passed, describeMatch(match));
}

function scoreAssertion(
  scorer: CaseScorer,
  asked: AskedAssertion | undefined,
  grade: TrialGrade,
): readonly Score[] {
  const whole = scoreOne(scorer, asked, grade);
  if (scorer.parts === undefined) return [whole];
  const { criteria = [] } = asked?.result.measured ?? {};
  const parts = [...scorer.parts].map(([name, part]) => {
    const measured = criteria.find((one) => one.name === name);
    return measured === undefined ? scoreOne(part, asked, grade) : valued(part, measured);
  });
  return [whole, ...parts];
}

function scoreOne(scorer: CaseScorer, asked: AskedAssertion | undefined, grade: TrialGrade): Score {
  if (asked === undefined) return unanswered(scorer, grade);
  const { evaluatorError, reason, measured, passed } = asked.result;
  if (evaluatorError === true) return unanswered(scorer, { graderError: reason });
  return measured === undefined
    ? answered(scorer, passed, reason)
    : valued(scorer, { reason, ...measured });
}

function valued(
  scorer: CaseScorer,
  { score, threshold, reason, model, promptHash, votes }: MeasuredScore,
): Score {
  const row = answered(scorer, score >= threshold, reason);
  row.value = score;
  if (model !== undefined) row.model = model;
  if (promptHash !== undefined) row.promptHash = promptHash;
  if (votes !== undefined) row.votes = [...votes];
  return row;
}

type Row = { -readonly [Name in keyof Score]: Score[Name] };

function answered(scorer: CaseScorer, passed: boolean, rationale: string | undefined): Row {
  const row = rowOf(scorer, 'scored');
  row.value = passed ? 1 : 0;
  row.passed = passed;
  if (rationale !== undefined) {
    row.rationale = rationale.length <= 2000 ? rationale : capText(rationale, 2000);
  }
  return row;
}

function unanswered(scorer: CaseScorer, grade: TrialGrade): Score {
  if ('graderError' in grade) {
    const row = rowOf(scorer, 'error');
    row.error = capText(grade.graderError, 500);
    return row;
  }
  const row = rowOf(scorer, 'skipped');
  row.rationale = 'Not scored, because an earlier step failed.';
  return row;
}

/**
 * Assigns fields one by one because that is faster, and every trial makes a row for every scorer.
 */
function rowOf({ definition, definitionHash }: CaseScorer, status: ScoreStatus): Row {
  const row: Row = {
    scorerId: definition.scorerId,
    scorerVersion: definition.scorerVersion,
    definitionHash,
    status,
    passThreshold: definition.passThreshold,
    deterministic: definition.deterministic,
  };
  if (definition.scope !== undefined) row.scope = definition.scope;
  return row;
}

/** A failed step is mentioned only if it is the sole cause. */
function describeFailures({ failures, brokenRule }: TrialVerdict): string | undefined {
  const mentioned = failures.length > 1 ? failures.filter((one) => one !== 'stepFailed') : failures;
  // The text of the broken rule must come last, since `brokenRuleIn` finds it at the end.
  const others =
    brokenRule === undefined ? mentioned : mentioned.filter((one) => one !== 'toolError');
  const all = [
    ...others.map((one) => sentences[one]),
    ...(brokenRule === undefined ? [] : [brokenRule]),
  ];
  return all.length === 0 ? undefined : all.join(' ');
}

const sentences: Readonly<Record<TrialFailure, string>> = {
  toolCallsDoNotMatch: 'The tool calls do not match.',
  assertionFailed: 'A gating check failed.',
  trialError: 'The trial ended with an error.',
  toolError: 'A tool failed.',
  pinnedToolError: 'A tool call made by the case itself failed.',
  stepFailed: 'A step failed.',
};

function describeMatch({ passed, missing, extra, argumentMismatches }: ToolCallMatch) {
  if (passed) return undefined;
  return (
    `Expected calls that were not made: ${missing.length}; made with other arguments: ` +
    `${argumentMismatches.length}; unexpected calls: ${extra.length}.`
  );
}
