/**
 * The result of one scorer for one trial. `passed` is never taken from the scorer: it is derived
 * from the value and the threshold. A value that is no number from 0 to 1 is an error; it is never
 * clamped.
 */
import * as z from 'zod';

const scoreStatuses = ['scored', 'error', 'skipped', 'not_applicable'] as const;
export type ScoreStatus = (typeof scoreStatuses)[number];

const fraction = z.number().min(0).max(1);

export const Score = z.strictObject({
  scorerId: z.string().min(1),
  scorerVersion: z.string().min(1),
  definitionHash: z.string().min(1),
  status: z.enum(scoreStatuses),
  value: fraction.optional(),
  passThreshold: fraction,
  passed: z.boolean().optional(),
  rationale: z.string().max(2000).optional(),
  evidence: z.array(z.string().max(300)).max(20).optional(),
  deterministic: z.boolean(),
  model: z.string().optional(),
  promptHash: z.string().optional(),
  error: z.string().max(500).optional(),
  votes: z
    .array(
      z.strictObject({
        score: fraction.nullable(),
        passed: z.boolean().nullable(),
        reason: z.string().max(300),
      }),
    )
    .max(5)
    .optional(),
  scope: z.strictObject({ kind: z.literal('turn'), promptIndex: z.int().min(0) }).optional(),
});
export type Score = z.infer<typeof Score>;

/** A scorer's output. Its value is unchecked and its `passed` is ignored. */
export type ScorerOutput = Omit<Score, 'value' | 'passed'> & { value?: unknown; passed?: unknown };

export function settleScore({ value, passed: _unread, ...score }: ScorerOutput): Score {
  if (score.status !== 'scored') return score;
  const checked = fraction.safeParse(value);
  if (!checked.success) {
    return { ...score, status: 'error', error: 'The score is not a number from 0 to 1.' };
  }
  return { ...score, value: checked.data, passed: checked.data >= score.passThreshold };
}

/**
 * The id contains the assertion's position. If the list of assertions changes, the same id may mean
 * another assertion.
 */
export function assertionScorerId(type: string, number: number): string {
  return `predicate:${type}#${number}`;
}
