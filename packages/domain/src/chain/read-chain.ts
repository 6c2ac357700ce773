/**
 * Reads a stored chain.
 *
 * - `verified`: the chain has six rows in order, only known words, evidence within its limits, and
 *   a version. Its first failed stage and its category fit the rows. For a newer version only the
 *   structure is checked.
 * - `unverified`: anything else that was stored. None of its claims are shown.
 * - `absent`: nothing was stored, or only a version. A stored null counts as a value.
 */
import * as z from 'zod';
import { categoriesOf } from './categorize-failure.ts';
import {
  analyzerVersion,
  type FailureCategory,
  failureCategories,
  type StageResultRow as Row,
  reasonsOf,
  type StageReason,
  StageResultRow,
  stages,
} from './vocabulary.ts';

export interface StoredChain {
  readonly stageResults?: unknown;
  readonly firstFailedStage?: unknown;
  readonly failureCategory?: unknown;
  readonly stageAnalyzerVersion?: unknown;
}

const Version = z.int().nonnegative();
const AnalyzerVersionAhead = z.strictObject({ reported: Version, known: Version });
const Rows = z.array(StageResultRow).length(stages.length);

export const DecisionChain = z
  .discriminatedUnion('status', [
    z
      .strictObject({
        status: z.literal('verified'),
        stages: Rows,
        analyzerVersion: Version,
        firstFailedStage: z.enum(stages).optional(),
        failureCategory: z.enum(failureCategories).optional(),
        analyzerVersionAhead: AnalyzerVersionAhead.optional(),
      })
      .meta({ id: 'EvalRunDecisionChainVerified' }),
    z
      .strictObject({
        status: z.literal('unverified'),
        analyzerVersion: Version.optional(),
        analyzerVersionAhead: AnalyzerVersionAhead.optional(),
      })
      .meta({ id: 'EvalRunDecisionChainUnverified' }),
    z.strictObject({ status: z.literal('absent') }).meta({ id: 'EvalRunDecisionChainAbsent' }),
  ])
  .meta({ id: 'EvalRunDecisionChain', description: 'The results of the six stages of one trial.' });
export type DecisionChain = z.infer<typeof DecisionChain>;

export function readChain(stored: StoredChain | undefined): DecisionChain {
  if (stored === undefined || !isAnythingStored(stored)) return { status: 'absent' };
  const version = Version.safeParse(stored.stageAnalyzerVersion);
  const shown = version.success ? showVersion(version.data) : {};
  const chain = StructuralChain.safeParse({
    stageResults: stored.stageResults,
    firstFailedStage: stored.firstFailedStage,
    failureCategory: stored.failureCategory,
  });
  if (!version.success || !chain.success) return { status: 'unverified', ...shown };
  const { stageResults, firstFailedStage, failureCategory } = chain.data;
  const isKnown = version.data <= analyzerVersion;
  const isConsistent =
    isWalked(stageResults) && isFailureConsistent(stageResults, failureCategory, version.data);
  if (isKnown && !isConsistent) {
    return { status: 'unverified', ...shown };
  }
  return {
    status: 'verified',
    stages: stageResults,
    ...showVersion(version.data),
    ...(firstFailedStage === undefined ? {} : { firstFailedStage }),
    ...(failureCategory === undefined ? {} : { failureCategory }),
  };
}

const StructuralChain = z
  .object({
    stageResults: Rows.refine((rows) => rows.every((row, index) => row.stage === stages[index])),
    firstFailedStage: z.enum(stages).optional(),
    failureCategory: z.enum(failureCategories).optional(),
  })
  .refine(
    (chain) =>
      chain.firstFailedStage === chain.stageResults.find((row) => row.state === 'failed')?.stage,
  );

/**
 * Returns whether every row after the first failed one is not reached, with `earlierStageFailed` or
 * no reason.
 */
function isWalked(rows: readonly Row[]): boolean {
  const firstFailed = rows.findIndex((row) => row.state === 'failed');
  if (firstFailed === -1) return true;
  return rows
    .slice(firstFailed + 1)
    .every(
      (row) =>
        row.state === 'notReached' &&
        (row.reason === undefined || row.reason === 'earlierStageFailed'),
    );
}

/**
 * Returns whether the reason and the category fit the first failed row. A missing reason or
 * category is valid.
 */
function isFailureConsistent(
  rows: readonly Row[],
  category: FailureCategory | undefined,
  version: number,
): boolean {
  const first = rows.find((row) => row.state === 'failed');
  const isReason = first?.reason === undefined || failedReasons.includes(first.reason);
  return isReason && (category === undefined || categoriesOf(first, version).includes(category));
}

const failedReasons: readonly StageReason[] = reasonsOf.failed;

function isAnythingStored(stored: StoredChain): boolean {
  return (
    stored.stageResults !== undefined ||
    stored.firstFailedStage !== undefined ||
    stored.failureCategory !== undefined
  );
}

function showVersion(version: number) {
  if (version <= analyzerVersion) return { analyzerVersion: version };
  return {
    analyzerVersion: version,
    analyzerVersionAhead: { reported: version, known: analyzerVersion },
  };
}
