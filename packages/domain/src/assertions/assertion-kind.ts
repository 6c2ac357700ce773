import * as z from 'zod';
import type { MeasuredScore } from './measured-score.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { Transcript } from './transcript.ts';

/** What one assertion found: whether it holds, and why in one sentence. */
export interface Finding {
  readonly passed: boolean;
  readonly reason: string;
  /** Nobody could answer it: that is the grader's doing, so it neither holds nor fails. */
  readonly evaluatorError?: true;
  /** What was measured, by whoever answers with a score. */
  readonly measured?: MeasuredScore;
  /** Of a judge: how far the goal was missed. */
  readonly judgedAs?: 'judgePartial' | 'judgeFailed';
}

export interface AssertionKind<Schema extends z.ZodType> {
  readonly schema: Schema;
  evaluate(assertion: z.infer<Schema>, transcript: Transcript, patterns: PatternEngine): Finding;
}

export function assertionKind<Schema extends z.ZodType>(
  kind: AssertionKind<Schema>,
): AssertionKind<Schema> {
  return kind;
}

/**
 * The closed shape of one kind. Every kind may say that it only advises (`role`), and an advising
 * one that its failure is a warning (`severity`).
 */
export function assertionSchema<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z
    .strictObject({
      type: z.literal(type),
      ...fields,
      role: z.enum(['gating', 'advisory']).optional(),
      severity: z.literal('warn').optional(),
    })
    .refine(
      (assertion: { role?: unknown; severity?: unknown }) =>
        assertion.severity === undefined || assertion.role === 'advisory',
      { error: 'A severity needs the role "advisory".', path: ['severity'] },
    )
    .meta({ id: `EvalAssertion${type.charAt(0).toUpperCase()}${type.slice(1)}` });
}

export const toolNameField = z.string().min(1);
/** Of whichever server has it, unless one is named. */
export const toolFields = { toolName: toolNameField, serverName: toolNameField.optional() };
export const positiveCount = z.int().min(1);
