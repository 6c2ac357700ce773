/**
 * The scores a trial was reported with. They come together with the definitions they were made by, or not at
 * all. The set is valid when every row is well formed and says what its value against its threshold says,
 * belongs to a definition, no scorer is defined twice, and every gating definition has a row. A set that is
 * not valid is marked, and kept if it is well formed. A gating scorer that broke is a broken grader,
 * unless its definition says to pass that over.
 */
import * as z from 'zod';
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
  role: z.enum(['gating', 'advisory']),
  onError: z.enum(['fail', 'ignore']),
  passThreshold: z.number().min(0).max(1),
});
const EvaluationConfig = z.looseObject({
  hash: z.string().min(1),
  definitions: z.array(Definition),
});

export function readReportedScores(metadata: Readonly<Record<string, unknown>>): ReportedScores {
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
  return {
    scores,
    evaluationConfig,
    scoreIntegrity: isConsistent(rows.data, definitions) ? 'valid' : 'invalid',
    graderBroke: rows.data.some((row) => row.status === 'error' && mustNotBreak(row, definitions)),
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
    definitions.every(({ role, scorerId }) => role === 'advisory' || scored.has(scorerId)) &&
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

function mustNotBreak(row: Score, definitions: readonly Definition[]): boolean {
  const definition = definitions.find(({ scorerId }) => scorerId === row.scorerId);
  return definition?.role === 'gating' && definition.onError === 'fail';
}
