/**
 * Checks the scores of a reported trial against the definitions of their scorers. In a valid set,
 * every score has a definition, no scorer is defined twice, and every gating definition has a
 * score. A well-formed but invalid set is stored and marked as invalid.
 *
 * If a gating scorer has no answer, the grader counts as broken, unless another gating scorer
 * measured a failure. A trial reported as passed against its gating scores is ungraded.
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
    // If the scores or their definitions cannot be read, neither is stored: a page shows scores
    // only with their definitions.
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

/** A score without a definition may be gating, so it counts as gating. */
function isAdviceOnly(scores: unknown, evaluationConfig: unknown): boolean {
  const definitions = isRecord(evaluationConfig) ? evaluationConfig['definitions'] : undefined;
  if (!Array.isArray(definitions)) return false;
  const isAdvice = (one: unknown) => isRecord(one) && one['role'] === 'advisory';
  if (!definitions.every(isAdvice)) return false;
  const advisers = new Set<unknown>(definitions.map(({ scorerId }) => scorerId));
  return toList(scores).every((row) => isRecord(row) && advisers.has(row['scorerId']));
}

/**
 * A scorer with both a gating and an advisory definition is invalid, since its gate is defined
 * twice.
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
