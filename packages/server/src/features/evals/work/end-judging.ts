/**
 * Ends a part of a run's judging. The last part also concludes the judging, in the same
 * transaction.
 */
import { groundednessThreshold } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { completeWork, type HeldWork } from '../../../platform/work/store/leased-work.ts';
import { lowestGroundedness, lowestJudgements } from '../store/judged-trials.ts';
import {
  concludeJudge,
  type GroundedCase,
  type Groundedness,
  holdJudgedRun,
  type JudgeConclusion,
  type JudgedCase,
} from '../store/run-judges.ts';
import { dropModelKeys } from '../store/run-plans.ts';
import { closeJudging } from '../store/run-work.ts';

export async function endJudging(database: Database, held: HeldWork): Promise<void> {
  await database.tenant([held.organizationId], async (sql) => {
    await holdJudgedRun(sql, held.groupId);
    if ((await completeWork(sql, held)) !== 'last') return;
    const goals = concluded(await lowestJudgements(sql, held.groupId));
    const groundedness = concludeGroundedness(await lowestGroundedness(sql, held.groupId));
    await conclude(sql, held.groupId, { ...goals, groundedness });
  });
}

/** Ends the judging after a failure of Proofmark itself. The remaining parts are not judged. */
export async function failJudging(database: Database, held: HeldWork): Promise<void> {
  await database.tenant([held.organizationId], async (sql) => {
    await holdJudgedRun(sql, held.groupId);
    if ((await completeWork(sql, held)) === 'lost') return;
    await closeJudging(sql, held.groupId);
    await conclude(sql, held.groupId, failed);
  });
}

async function conclude(sql: Sql, runId: string, conclusion: JudgeConclusion): Promise<void> {
  await concludeJudge(sql, runId, conclusion);
  await dropModelKeys(sql, runId);
}

const failed: JudgeConclusion = {
  status: 'failed',
  errorCode: 'JUDGE_FAILED',
  summary: 'The judge gave no valid answer for any trial.',
  cases: [],
};

const nothingToJudge: JudgeConclusion = {
  status: 'failed',
  errorCode: 'NOTHING_TO_JUDGE',
  summary: 'No trial of this run has a trace that can be judged.',
  cases: [],
};

function concluded(cases: readonly JudgedCase[]): JudgeConclusion {
  if (cases.length === 0) return nothingToJudge;
  const scored = cases.filter(({ score }) => score !== null);
  if (scored.length === 0) return failed;
  const passed = scored.filter((one) => one.passed).length;
  const summary = `${passed} of ${scored.length} judged cases reached their goal.`;
  return { status: 'completed', errorCode: null, summary, cases };
}

/**
 * A run with nothing to judge has not failed: without tool results, no answer can be checked for
 * groundedness.
 */
function concludeGroundedness(cases: readonly GroundedCase[]): Groundedness {
  const scored = cases.filter(({ score }) => score !== null);
  const completed = {
    status: 'completed',
    errorCode: null,
    threshold: groundednessThreshold,
  } as const;
  if (cases.length === 0) {
    return {
      ...completed,
      summary:
        'In this run the model gave no answer after a tool result, so there is nothing to judge.',
      cases,
    };
  }
  if (scored.length === 0) {
    const { errorCode, summary } = failed;
    return { ...completed, status: 'failed', errorCode, summary, cases: [] };
  }
  const passed = scored.filter((one) => one.passed).length;
  const summary = `The answers of ${passed} of ${scored.length} judged cases rest on the results of tools.`;
  return { ...completed, summary, cases };
}
