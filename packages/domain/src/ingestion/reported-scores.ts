/**
 * The scores of a reported trial, together with the definitions of their scorers; one without the
 * other is invalid.
 *
 * The set is valid if every row is well formed, agrees with its value and threshold, and belongs to
 * a definition, no scorer is defined twice, and every gating definition has a row. An invalid set
 * is marked, and kept if it is well formed.
 *
 * A gating scorer without an answer is a broken grader: it failed, was skipped, has no row, or has
 * an unknown role. If another gating scorer measured a failure and the trial is reported as failed,
 * that failure counts. A trial that is reported as passed although its gating scores contradict
 * that or cannot be read is ungraded. Advisory scores never take a pass away.
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
    // Unless both can be read, neither is kept; a page shows both or none.
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

/** Cuts an error that is too long to store; the row still shows that its grader broke. */
function withShortError(row: unknown): unknown {
  if (!isRecord(row) || row['status'] !== 'error' || typeof row['error'] !== 'string') return row;
  return { ...row, error: row['error'].slice(0, 500) };
}

/**
 * Whether a set that cannot be read completely contains only advisory scores. A score without a
 * definition may be a gating one.
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
 * Checks the gates of a set. A scorer with a gating and an advisory definition counts as a gate
 * that is defined twice.
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
