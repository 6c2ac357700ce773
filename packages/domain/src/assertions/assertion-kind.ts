import * as z from 'zod';
import type { Stage } from '../chain/vocabulary.ts';
import type { MeasuredScore } from './measured-score.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
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

/** One row of a case. Absent `promptIndex`: of the whole case. */
export interface StatedRow {
  readonly assertion: object;
  readonly promptIndex?: number | undefined;
}

/** What kinds need beside the transcript. */
export interface AssertionGround {
  readonly patterns: PatternEngine;
  readonly schemas: SchemaEngine;
  /** All rows of the case, for a kind that another row excuses from something. */
  readonly siblings?: readonly StatedRow[] | undefined;
}

export interface AssertionKind<Schema extends z.ZodType> {
  /** That reads it; ofMatcher: none does. */
  readonly stage: Stage | 'ofMatcher';
  /** The calls that it looks at inside a turn; never: it measures the whole trial (default: all calls so far). */
  readonly inTurn?: 'callsOfTurn' | 'never';
  /** Whether it says something only where a model chose the calls. */
  readonly isChoiceOfModel?: true;
  readonly schema: Schema;
  evaluate(assertion: z.infer<Schema>, transcript: Transcript, ground: AssertionGround): Finding;
}

export function assertionKind<Schema extends z.ZodType>(
  kind: AssertionKind<Schema>,
): AssertionKind<Schema> {
  return kind;
}

export function holds(reason: string): Finding {
  return { passed: true, reason };
}

export function fails(reason: string): Finding {
  return { passed: false, reason };
}

/** What would decide it was not captured, or cannot be looked at. */
export function unanswered(reason: string): Finding {
  return { passed: false, reason, evaluatorError: true };
}

/**
 * The closed shape of one kind. Every kind may say that it only advises (`role`), and an advising
 * one that its failure is a warning (`severity`).
 * `rule`: what its fields have to be together.
 */
export function assertionSchema<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
  rule?: { readonly error: string; isKept(assertion: object): boolean },
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
    .refine((assertion) => rule === undefined || rule.isKept(assertion), {
      error: rule?.error ?? '',
    })
    .meta({ id: shapeId(type) });
}

/** A heuristic. It can be wrong about a server that is right, so it advises and never gates. */
export function observationSchema<Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z
    .strictObject({
      type: z.literal(type),
      ...fields,
      role: z.literal('advisory', {
        error: `${type} only observes and cannot gate; write role: "advisory".`,
      }),
      severity: z.literal('warn').optional(),
    })
    .meta({ id: shapeId(type) });
}

function shapeId(type: string): string {
  return `EvalAssertion${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

export const toolNameField = z.string().min(1);
/** Of whichever server has it, unless one is named. */
export const toolFields = { toolName: toolNameField, serverName: toolNameField.optional() };
/** All calls, unless a tool or a server is named. */
export const scopeFields = {
  toolName: toolNameField.optional(),
  serverName: toolNameField.optional(),
};
export const positiveCount = z.int().min(1);
