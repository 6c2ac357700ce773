/**
 * The scores a trial was reported with. They come together with the definitions they were made by, or not at
 * all. The set is valid when every row is well formed and says what its value against its threshold says,
 * belongs to a definition, no scorer is defined twice, and every gating definition has a row. A set that is
 * not valid is marked, and kept if it is well formed. A gating scorer without an answer is a broken grader, be it
 * that it broke, was skipped, has no row or a role nobody knows; a failure that was measured beside it stands, where
 * the trial is reported as one that failed. A trial that is reported as passed although its gating scores say
 * otherwise, or cannot be read, was not graded: what its grader said is not known. Advice never takes a pass away.
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
    // Without both, neither can be read; a page shows both or none.
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

/** An error that is too long to keep says no less that its grader broke. */
function withShortError(row: unknown): unknown {
  if (!isRecord(row) || row['status'] !== 'error' || typeof row['error'] !== 'string') return row;
  return { ...row, error: row['error'].slice(0, 500) };
}

/** Of a set that cannot be read as a whole. A score of no definition may be that of a gate. */
function isAdviceOnly(scores: unknown, evaluationConfig: unknown): boolean {
  const definitions = isRecord(evaluationConfig) ? evaluationConfig['definitions'] : undefined;
  if (!Array.isArray(definitions)) return false;
  const isAdvice = (one: unknown) => isRecord(one) && one['role'] === 'advisory';
  if (!definitions.every(isAdvice)) return false;
  const advisers = new Set<unknown>(definitions.map(({ scorerId }) => scorerId));
  return toList(scores).every((row) => isRecord(row) && advisers.has(row['scorerId']));
}

/** A scorer that is defined as a gate and as advice too is a gate that is defined twice. */
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
