import * as z from 'zod';
import type { Stage } from '../chain/vocabulary.ts';
import type { MeasuredScore } from './measured-score.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { Transcript } from './transcript.ts';

/** The result of one assertion: whether it holds, and the reason in one sentence. */
export interface Finding {
  readonly passed: boolean;
  readonly reason: string;
  /** The grader could not answer it, so the assertion neither holds nor fails. */
  readonly evaluatorError?: true;
  /** The measurement of a judge or an own scorer. */
  readonly measured?: MeasuredScore;
  /** How far the goal was missed, if a judge answered. */
  readonly judgedAs?: 'judgePartial' | 'judgeFailed';
}

/** One assertion of a case. Without `promptIndex` it applies to the whole case. */
export interface StatedRow {
  readonly assertion: object;
  readonly promptIndex?: number | undefined;
}

/** The inputs of assertions beside the transcript. */
export interface AssertionGround {
  readonly patterns: PatternEngine;
  readonly schemas: SchemaEngine;
  /** All assertions of the case, for kinds to which another assertion makes exceptions. */
  readonly siblings?: readonly StatedRow[] | undefined;
}

export interface AssertionKind<Schema extends z.ZodType> {
  /** The stage that reads the assertion; `ofMatcher`: no stage. */
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

/** Returns a finding without an answer: the needed data was not captured or cannot be read. */
export function unanswered(reason: string): Finding {
  return { passed: false, reason, evaluatorError: true };
}

/**
 * Returns the closed schema of one kind. An assertion of any kind may be advisory (`role`), and an
 * advisory one may report its failure as a warning (`severity`). `rule` is a condition over several
 * fields.
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

/**
 * Returns the schema of a heuristic. It can be wrong about a correct server, so it is advisory and
 * never gates.
 */
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
/** Without `serverName`, the tool of any server. */
export const toolFields = { toolName: toolNameField, serverName: toolNameField.optional() };
/** Without a tool or a server, all calls. */
export const scopeFields = {
  toolName: toolNameField.optional(),
  serverName: toolNameField.optional(),
};
export const positiveCount = z.int().min(1);
