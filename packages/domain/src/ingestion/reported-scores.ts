/**
 * The scores of a reported trial and the definitions of their scorers. Scores without definitions
 * are invalid, and so are definitions without scores.
 *
 * A set of scores is valid if every score is well formed, agrees with its value and threshold and
 * belongs to a definition, no scorer is defined twice, and every gating definition has a score. An
 * invalid set is marked, and kept if it is well formed.
 *
 * A gating scorer without an answer is a broken grader: it failed, was skipped, has no score, or
 * has an unknown role. If another gating scorer measured a failure and the trial is reported as
 * failed, that failure counts. If a trial is reported as passed and its gating scores contradict
 * that or cannot be read, the trial is ungraded. Advisory scores never change a pass.
 */

import * as z from 'zod';
import { hasGatingFailure, isEveryGateAnswered } from '../assertions/gating-scores.ts';
import { Score } from '../assertions/score.ts';
import { toList } from '../chain/loose-values.ts';
import { isRecord } from '../kernel/json.ts';

export interface ReportedScores {
  readonly scores: readonly unknown[] | undefined;
  readonly evaluationConfig: unknown;
  readonly scoreIntegrity: 'valid' | 'invalid' | null;
  readonly graderBroke: boolean;
}

const Definition = z.looseObject({
  scorerId: z.string().min(1),
  scorerVersion: z.string().min(1),
  role: z.unknown(),
  onError: z.enum(['fail', 'ignore']).optional(),
  onSkipped: z.enum(['fail', 'ignore']).optional(),
  passThreshold: z.number().min(0).max(1),
});
const EvaluationConfig = z.looseObject({
  hash: z.string().min(1),
  definitions: z.array(Definition),
});

export function readReportedScores(
  metadata: Readonly<Record<string, unknown>>,
  passed: boolean | undefined,
): ReportedScores {
  const { scores, evaluationConfig } = metadata;
  if (scores === undefined && evaluationConfig === undefined) return none;
  const isWellFormed = z.array(Score).safeParse(scores).success;
  const rows = z.array(Score).safeParse(toList(scores).map(withShortError));
  const config = EvaluationConfig.safeParse(evaluationConfig);
  if (!Array.isArray(scores) || !rows.success || !config.success) {
    // If the scores or the definitions cannot be read, neither is kept, since a page shows them
    // only together.
    const graderBroke = passed === true && !isAdviceOnly(scores, evaluationConfig);
    return { ...none, scoreIntegrity: 'invalid', graderBroke };
  }
  const { definitions } = config.data;
  const hasFailed = hasGatingFailure(definitions, rows.data);
  const isContradicted =
    passed === true && (hasFailed || !areGatesConsistent(rows.data, definitions));
  const graderBroke =
    isContradicted || (!hasFailed && !isEveryGateAnswered(definitions, rows.data));
  if (!isWellFormed) return { ...none, scoreIntegrity: 'invalid', graderBroke };
  return {
    scores,
    evaluationConfig,
    scoreIntegrity: isConsistent(rows.data, definitions) ? 'valid' : 'invalid',
    graderBroke,
  };
}

type Definition = z.infer<typeof Definition>;

const none: ReportedScores = {
  scores: undefined,
  evaluationConfig: undefined,
  scoreIntegrity: null,
  graderBroke: false,
};

/** Cuts an error that is too long to store. The score still shows that its grader failed. */
function withShortError(row: unknown): unknown {
  if (!isRecord(row) || row['status'] !== 'error' || typeof row['error'] !== 'string') return row;
  return { ...row, error: row['error'].slice(0, 500) };
}

/**
 * Returns whether a set that cannot be read completely has only advisory scores. A score without a
 * definition may be gating, so it counts as gating.
 */
function isAdviceOnly(scores: unknown, evaluationConfig: unknown): boolean {
  const definitions = isRecord(evaluationConfig) ? evaluationConfig['definitions'] : undefined;
  if (!Array.isArray(definitions)) return false;
  const isAdvice = (one: unknown) => isRecord(one) && one['role'] === 'advisory';
  if (!definitions.every(isAdvice)) return false;
  const advisers = new Set<unknown>(definitions.map(({ scorerId }) => scorerId));
  return toList(scores).every((row) => isRecord(row) && advisers.has(row['scorerId']));
}

/**
 * Checks the gating scores of a set. If a scorer has both a gating and an advisory definition, its
 * gate is defined twice, which is invalid.
 */
function areGatesConsistent(rows: readonly Score[], definitions: readonly Definition[]): boolean {
  const gates = new Set(
    definitions.filter(({ role }) => role !== 'advisory').map(({ scorerId }) => scorerId),
  );
  const isOfGate = ({ scorerId }: { readonly scorerId: string }) => gates.has(scorerId);
  return isConsistent(rows.filter(isOfGate), definitions.filter(isOfGate));
}

function isConsistent(rows: readonly Score[], definitions: readonly Definition[]): boolean {
  const byId = new Map(definitions.map((one) => [one.scorerId, one]));
  const scored = new Set(rows.map((row) => row.scorerId));
  return (
    byId.size === definitions.length &&
    definitions.every(
      ({ role, scorerId }) => role === 'advisory' || (role === 'gating' && scored.has(scorerId)),
    ) &&
    rows.every((row) => {
      const definition = byId.get(row.scorerId);
      return (
        definition !== undefined &&
        definition.scorerVersion === row.scorerVersion &&
        definition.passThreshold === row.passThreshold &&
        saysWhatItsValueSays(row)
      );
    })
  );
}

function saysWhatItsValueSays({ status, value, passThreshold, passed }: Score): boolean {
  if (status !== 'scored') return value === undefined && passed !== true;
  return value !== undefined && (passed === undefined || passed === value >= passThreshold);
}
