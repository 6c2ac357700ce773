import * as z from 'zod';
import type { Stage } from '../chain/vocabulary.ts';
import type { CountTokens } from '../surfaces/surface-tokens.ts';
import type { MeasuredScore } from './measured-score.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { Transcript } from './transcript.ts';

export interface Finding {
  readonly passed: boolean;
  readonly reason: string;
  /** Set if the grader could not evaluate the assertion, which then neither holds nor fails. */
  readonly evaluatorError?: true;
  readonly measured?: MeasuredScore;
  /** How far the trial missed the goal according to a judge: partly or entirely. */
  readonly judgedAs?: 'judgePartial' | 'judgeFailed';
}

/**
 * One assertion of a case. With `promptIndex` it applies to one turn, otherwise to the whole case.
 */
export interface StatedRow {
  readonly assertion: object;
  readonly promptIndex?: number | undefined;
}

export interface AssertionContext {
  readonly patterns: PatternEngine;
  readonly schemas: SchemaEngine;
  /** Without a tokenizer, assertions about numbers of tokens cannot be evaluated. */
  readonly countTokens?: CountTokens | undefined;
  /**
   * All assertions of the case. Another assertion may excuse errors for which this one would fail.
   */
  readonly siblings?: readonly StatedRow[] | undefined;
}

export interface AssertionKind<Schema extends z.ZodType> {
  /**
   * The stage that the assertion decides. `ofMatcher`: the tool call matcher decides the assertion,
   * so it belongs to no stage.
   */
  readonly stage: Stage | 'ofMatcher';
  /**
   * Calls that the assertion checks in a turn (default: all calls so far). `never`: the assertion
   * measures the whole trial, so it cannot be evaluated for a turn.
   */
  readonly inTurn?: 'callsOfTurn' | 'never';
  /** Whether the assertion is meaningful only if a model chose the calls. */
  readonly isChoiceOfModel?: true;
  readonly schema: Schema;
  evaluate(assertion: z.infer<Schema>, transcript: Transcript, context: AssertionContext): Finding;
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

/** The finding for an assertion whose data was not captured or cannot be read. */
export function unanswered(reason: string): Finding {
  return { passed: false, reason, evaluatorError: true };
}

/**
 * The schema of one kind of assertion; unknown fields are rejected. Any assertion may be advisory
 * (`role`: it never fails a trial), and an advisory assertion may report its failure as a warning
 * (`severity`). `rule` is a condition over several fields.
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
 * The schema of a heuristic assertion. A heuristic can be wrong about a correct server, so the
 * assertion is always advisory.
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
        error: `The assertion ${type} cannot fail a trial; write role: "advisory".`,
      }),
      severity: z.literal('warn').optional(),
    })
    .meta({ id: shapeId(type) });
}

function shapeId(type: string): string {
  return `EvalAssertion${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

export const toolNameField = z.string().min(1);
/** Without `serverName`, the tool may belong to any server. */
export const toolFields = { toolName: toolNameField, serverName: toolNameField.optional() };
/** Fields that limit an assertion to a tool or a server. Without both, it checks all calls. */
export const scopeFields = {
  toolName: toolNameField.optional(),
  serverName: toolNameField.optional(),
};
export const positiveCount = z.int().min(1);
