/**
 * The evidence from which a trial's stage chain is derived. Unknown data is left out, and an absent
 * field never counts as a success.
 */
import type { TrialStatus } from '../verdict/decision.ts';
import type { Stage } from './vocabulary.ts';

export interface TrialEvidence {
  readonly authored: AuthoredFacts;
  readonly status: TrialStatus;
  readonly blockedByPolicy?: boolean;
  /**
   * The stage at which a policy refused a call and so ended a running trial. It is `call` for a
   * call of the model or the case, and `response` for a call of a widget. Absent if the trial had
   * not begun.
   */
  readonly refusedAt?: 'call' | 'response';
  /** For a refused trial: whether an assertion about the choice of tools was still unanswered. */
  readonly isChoiceOpen?: boolean;
  /** Whether the trial is a replay that was ended because it diverged from its recording. */
  readonly diverged?: boolean;
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
  /** The number of listed tools. */
  readonly toolCount?: number;
  readonly tracePresent: boolean;
  /** Whether the program that ran the trial records spans. */
  readonly executorEmitsSpans: boolean;
  readonly spans: readonly SpanEvidence[];
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  readonly toolErrors: readonly ToolErrorEvidence[];
  /**
   * Errors for which it is unknown whether the case expects them. They are neither failures nor
   * successes, so their stage is not measured.
   */
  readonly openErrors?: readonly ToolErrorEvidence[];
  readonly renders: readonly RenderEvidence[];
  /** The result of the goal-completion judge; absent if no judge was due. */
  readonly judge?: JudgeEvidence;
  /** The explanation of a wrong selection by a judge of causes. */
  readonly attribution?: AttributionEvidence;
  /** Whether the grader itself failed. */
  readonly evaluatorError?: boolean;
  /** Whether the call to the model itself failed. */
  readonly providerError?: boolean;
}

/** What is known about the case before it runs. */
export interface AuthoredFacts {
  readonly hasPrompt: boolean;
  readonly expectsToolCall: boolean;
  readonly isNegativeTest: boolean;
  readonly hasAssertion: boolean;
  readonly hasExpectedOutput: boolean;
  readonly assertsWidget: boolean;
  /** The stages of the case's gating assertions. Absent in older stored evidence. */
  readonly assertedStages?: readonly Stage[];
}

/**
 * The side at fault for a failure: `ours`, or `theirs` (the server's), as far as the form of the
 * failure shows it.
 */
export type Attribution = 'ours' | 'theirs' | 'unknown';

export type SetupSignal =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly attribution: Attribution;
      /** Whether Proofmark's own egress is known to work. */
      readonly egressVerified: boolean;
    };

export interface SpanEvidence {
  readonly id: string;
  readonly category: string;
  readonly status?: 'ok' | 'error';
  readonly toolName?: string;
  readonly promptIndex?: number;
  /** The error code; present only for a call without a result. */
  readonly mcpErrorCode?: number;
  /**
   * The origin of the error code. `theirs`: it came over the wire. `ours`: our own transport made
   * it. Absent in traces that did not record the origin; the codes of a closed connection and of a
   * timeout then count as our transport's.
   */
  readonly mcpErrorOrigin?: McpErrorOrigin;
}

export const mcpErrorOrigins = ['ours', 'theirs'] as const;
export type McpErrorOrigin = (typeof mcpErrorOrigins)[number];

/** The matcher's summary of one turn. `passed` is the turn's verdict under the match options. */
export interface TurnEvidence {
  readonly promptIndex?: number;
  readonly calledCount?: number;
  readonly missingCount: number;
  readonly unexpectedCount: number;
  readonly argumentMismatchCount: number;
  readonly passed?: boolean;
  /**
   * Whether it is unknown if the turn's calls are the expected ones. The counts above then do not
   * include the unknown calls.
   */
  readonly unanswered?: boolean;
  /** The span ids of the mismatched calls, if known. */
  readonly mismatchedSpanIds?: readonly string[];
  readonly unexpectedSpanIds?: readonly string[];
}

/** The result of one assertion. An advisory assertion never affects the chain. */
export interface AssertionEvidence {
  readonly type: string;
  readonly passed: boolean;
  readonly reason?: string;
  readonly promptIndex?: number;
  readonly advisory?: boolean;
  /** The span ids of the calls that violated the assertion, if it forbids calls. */
  readonly spanIds?: readonly string[];
  /** Whether the assertion has no answer; `passed` is then false without meaning. */
  readonly unanswered?: boolean;
  /** Whether the model chose the tool that was never called. Its arguments were then unusable. */
  readonly wasAskedFor?: boolean;
  /** How far the trial missed the goal, if a judge answered. */
  readonly judgedAs?: JudgedAs;
}

export type JudgedAs = 'judgePartial' | 'judgeFailed';

/**
 * An error of a tool call. `content-error`: the server answered `isError: true`, or with a result
 * that breaks the tool's own output schema. `protocol-error`: there was no result.
 */
export interface ToolErrorEvidence {
  readonly kind: 'content-error' | 'protocol-error';
  readonly toolName?: string;
  readonly promptIndex?: number;
  /** The id of the call's span. */
  readonly spanId?: string;
  /**
   * The way in which the arguments violate the tool's input schema. The server was then right to
   * answer with an error.
   */
  readonly argumentProblem?: string;
  /** The way in which the result violates the tool's output schema. */
  readonly resultProblem?: string;
}

/** An attempt to render a widget. Only the status `rendered` is a success. */
export interface RenderEvidence {
  readonly status: string;
  readonly promptIndex?: number;
  /** The reason for a failed attempt, if it is known. */
  readonly reason?: string;
}

export type JudgeEvidence =
  | { readonly status: 'pending' }
  | { readonly status: 'errored' }
  | {
      readonly status: 'scored';
      readonly score: number;
      readonly threshold: number;
      readonly partialFloor: number;
      readonly reason?: string;
    };

export interface AttributionEvidence {
  readonly category: 'metadata' | 'selection';
  readonly quotes: readonly string[];
}
