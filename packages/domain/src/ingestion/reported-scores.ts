/**
 * The scores a trial was reported with. They come together with the definitions they were made by, or not at
 * all. The set is valid when every row is well formed and says what its value against its threshold says,
 * belongs to a definition, no scorer is defined twice, and every gating definition has a row. A set that is
 * not valid is marked, and kept if it is well formed. A gating scorer without an answer is a broken grader, be it
 * that it broke, was skipped, has no row or a role nobody knows; a failure that was measured beside it stands, where
 * the trial is reported as one that failed.
 */
import * as z from 'zod';
import { hasGatingFailure, isEveryGateAnswered } from '../assertions/gating-scores.ts';
import { Score } from '../assertions/score.ts';

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
  onError: z.enum(['fail', 'ignore']),
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
  if (!Array.isArray(scores)) return { ...none, scoreIntegrity: 'invalid' };
  const rows = z.array(Score).safeParse(scores);
  const config = EvaluationConfig.safeParse(evaluationConfig);
  if (!rows.success || !config.success) {
    // Without both, neither can be read; a page shows both or none.
    return { ...none, scoreIntegrity: 'invalid' };
  }
  const { definitions } = config.data;
  const hasFailed = passed !== true && hasGatingFailure(definitions, rows.data);
  return {
    scores,
    evaluationConfig,
    scoreIntegrity: isConsistent(rows.data, definitions) ? 'valid' : 'invalid',
    graderBroke: !hasFailed && !isEveryGateAnswered(definitions, rows.data),
  };
}

type Definition = z.infer<typeof Definition>;

const none: ReportedScores = {
  scores: undefined,
  evaluationConfig: undefined,
  scoreIntegrity: null,
  graderBroke: false,
};

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
