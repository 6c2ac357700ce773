/**
 * Grades a session from its stored data: the criteria as measured when the session ended, and the
 * result of each stage as for a trial. The same input always gives the same grade. If one criterion
 * could not be evaluated, the whole session is not graded.
 */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import { excuseExpectedErrors } from '../chain/expected-errors.ts';
import type { JudgeEvidence, TrialEvidence } from '../chain/trial-evidence.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import type { CriterionGrade } from './scorecard.ts';
import { factsOfRubric } from './session-chain.ts';
import type { MeasuredRubric, SessionEvidence } from './session-evidence.ts';

type Asked = Pick<JourneySnapshot, 'rubric' | 'judge'>;

export interface SessionGrade {
  /** The grades in the order of the rubric; empty if the grader failed. */
  readonly criteria: readonly CriterionGrade[];
  /** The result of the gating criteria; null if the grader failed or there is no rubric. */
  readonly result: 'passed' | 'failed' | null;
  readonly chain: DerivedChain;
  readonly graderError?: string;
}

export function gradeSession(
  { rubric, judge }: Asked,
  evidence: SessionEvidence,
  /** The judge's evidence (default: pending if the journey has a judge). */
  judgeEvidence: JudgeEvidence | undefined = owedBy({ judge }),
): SessionGrade {
  const measured = evidence.measured ?? nothingMeasured;
  const trial = withJudge(trialOf({ rubric, judge }, evidence, measured), judgeEvidence);
  const graderError = problemOf({ rubric }, measured);
  if (graderError !== undefined) {
    return {
      criteria: [],
      result: null,
      graderError,
      chain: deriveChain({ ...trial, evaluatorError: true }),
    };
  }
  const criteria = measured.criteria.map(({ criterionId, passed, reason }) => ({
    criterionId,
    passed,
    reason,
  }));
  const hasPassed = rubric.every(
    ({ role }, index) => role === 'advisory' || criteria[index]?.passed === true,
  );
  return {
    criteria,
    result: rubric.length === 0 ? null : hasPassed ? 'passed' : 'failed',
    chain: deriveChain(trial),
  };
}

const nothingMeasured: MeasuredRubric = { criteria: [], turns: [], assertions: [] };

function problemOf(
  { rubric }: Pick<Asked, 'rubric'>,
  { criteria }: MeasuredRubric,
): string | undefined {
  const unanswered = criteria.find(({ evaluatorError }) => evaluatorError === true);
  if (unanswered !== undefined) return unanswered.reason;
  const isWhole =
    criteria.length === rubric.length &&
    rubric.every(({ id }, index) => criteria[index]?.criterionId === id);
  return isWhole ? undefined : 'The checks were not measured when the session ended.';
}

function owedBy({ judge }: Pick<Asked, 'judge'>): JudgeEvidence | undefined {
  return judge === null ? undefined : { status: 'pending' };
}

function withJudge(trial: TrialEvidence, judge: JudgeEvidence | undefined): TrialEvidence {
  return judge === undefined ? trial : { ...trial, judge };
}

function trialOf(
  { rubric, judge }: Asked,
  { seen }: SessionEvidence,
  { turns, assertions, excusedSpanIds = [], unknownSpanIds = [] }: MeasuredRubric,
): TrialEvidence {
  return {
    ...excuseExpectedErrors(seen, { excused: excusedSpanIds, unknown: unknownSpanIds }),
    // A judge compares the session with the goal, so the goal acts as an expected output.
    authored: { ...factsOfRubric(rubric), hasExpectedOutput: judge !== null },
    turns,
    assertions,
    renders: [],
  };
}
