import * as z from 'zod';
import type { Stage } from '../chain/vocabulary.ts';
import type { CountTokens } from '../surfaces/surface-tokens.ts';
import type { MeasuredScore } from './measured-score.ts';
import type { PatternEngine } from './pattern-engine.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { Transcript } from './transcript.ts';

/** The result of one assertion: whether it holds, and the reason in one sentence. */
export interface Finding {
  readonly passed: boolean;
  readonly reason: string;
  /** Set if the grader could not evaluate the assertion, which then neither holds nor fails. */
  readonly evaluatorError?: true;
  /** The score that a judge or an own scorer gave. */
  readonly measured?: MeasuredScore;
  /** How far the trial missed the goal, if a judge answered: partly or entirely. */
  readonly judgedAs?: 'judgePartial' | 'judgeFailed';
}

/**
 * One assertion of a case. With `promptIndex` it applies to one turn, otherwise to the whole case.
 */
export interface StatedRow {
  readonly assertion: object;
  readonly promptIndex?: number | undefined;
}

/** The inputs for evaluating an assertion, in addition to the transcript. */
export interface AssertionGround {
  readonly patterns: PatternEngine;
  readonly schemas: SchemaEngine;
  /** The tokenizer; absent where none is loaded, and limits on tokens then have no answer. */
  readonly countTokens?: CountTokens | undefined;
  /**
   * All assertions of the case. Some kinds need them, since another assertion can excuse what they
   * would fail for.
   */
  readonly siblings?: readonly StatedRow[] | undefined;
}

export interface AssertionKind<Schema extends z.ZodType> {
  /** The stage that the assertion decides about; `ofMatcher` if it belongs to no stage. */
  readonly stage: Stage | 'ofMatcher';
  /**
   * The calls that the assertion checks in a turn (default: all calls so far). `never`: it cannot
   * be evaluated for a turn, since it measures the whole trial.
   */
  readonly inTurn?: 'callsOfTurn' | 'never';
  /** Whether the assertion is meaningful only if a model chose the calls. */
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

/** Returns a finding without an answer, for data that was not captured or cannot be read. */
export function unanswered(reason: string): Finding {
  return { passed: false, reason, evaluatorError: true };
}

/**
 * Returns the schema of one kind, which rejects unknown fields. An assertion of any kind may be
 * advisory (`role`), and an advisory assertion may report its failure as a warning (`severity`).
 * `rule` is a condition over several fields.
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
 * Returns the schema of a heuristic. A heuristic can be wrong about a correct server, so it is
 * always advisory.
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
/** The fields that name a tool. Without `serverName`, the tool of any server is meant. */
export const toolFields = { toolName: toolNameField, serverName: toolNameField.optional() };
/** The fields that limit an assertion to a tool or a server. Without both, it checks all calls. */
export const scopeFields = {
  toolName: toolNameField.optional(),
  serverName: toolNameField.optional(),
};
export const positiveCount = z.int().min(1);
