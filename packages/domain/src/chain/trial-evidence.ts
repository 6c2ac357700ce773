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
   * The stage at which a policy refused a call during the trial: `call` if the model or the case
   * made the call, `response` if a widget did. Absent if the trial had not begun.
   */
  readonly refusedAt?: 'call' | 'response';
  /** For a refused trial: whether an assertion about the choice of tools was still unanswered. */
  readonly isChoiceOpen?: boolean;
  readonly diverged?: boolean;
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
  readonly toolCount?: number;
  readonly tracePresent: boolean;
  readonly executorEmitsSpans: boolean;
  readonly spans: readonly SpanEvidence[];
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  readonly toolErrors: readonly ToolErrorEvidence[];
  /**
   * Errors for which it is unknown whether the case expects them. They prove neither failure nor
   * success, so the stage of such an error is not measured.
   */
  readonly openErrors?: readonly ToolErrorEvidence[];
  readonly renders: readonly RenderEvidence[];
  readonly judge?: JudgeEvidence;
  /** A judge's explanation of why the model selected the wrong tool. */
  readonly attribution?: AttributionEvidence;
  readonly evaluatorError?: boolean;
  readonly providerError?: boolean;
}

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
 * The side at fault: `ours`, or `theirs` (the server's). `unknown` if the failure does not show the
 * side.
 */
export type Attribution = 'ours' | 'theirs' | 'unknown';

export type SetupSignal =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly attribution: Attribution;
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
   * The origin of the error code: the server (`theirs`) or this service's transport (`ours`). If a
   * trace does not record the origin, the codes for a closed connection and a timeout count as
   * `ours`.
   */
  readonly mcpErrorOrigin?: McpErrorOrigin;
}

export const mcpErrorOrigins = ['ours', 'theirs'] as const;
export type McpErrorOrigin = (typeof mcpErrorOrigins)[number];

/**
 * The tool call matcher's summary of one turn. `passed` is the turn's verdict under the match
 * options.
 */
export interface TurnEvidence {
  readonly promptIndex?: number;
  readonly calledCount?: number;
  readonly missingCount: number;
  readonly unexpectedCount: number;
  readonly argumentMismatchCount: number;
  readonly passed?: boolean;
  /**
   * True if it is unknown whether some calls are the expected ones. The counts then leave out those
   * calls.
   */
  readonly unanswered?: boolean;
  readonly mismatchedSpanIds?: readonly string[];
  readonly unexpectedSpanIds?: readonly string[];
  /** Why missing calls could not be made: their tools are hidden from clients. */
  readonly exclusions?: readonly string[];
}

/** An advisory assertion never affects the stage chain. */
export interface AssertionEvidence {
  readonly type: string;
  readonly passed: boolean;
  readonly reason?: string;
  readonly promptIndex?: number;
  readonly advisory?: boolean;
  /** The span ids of the calls that violated the assertion, if it forbids calls. */
  readonly spanIds?: readonly string[];
  /** True if the assertion could not be evaluated; `passed` is then false without meaning. */
  readonly unanswered?: boolean;
  /**
   * True if the model requested the tool, but with unreadable arguments, so that the tool was never
   * called.
   */
  readonly wasAskedFor?: boolean;
  /** How far the trial missed the goal, if a judge answered. */
  readonly judgedAs?: JudgedAs;
  /** Why the wanted tool could not be called: it is hidden from clients. */
  readonly exclusion?: string;
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
  readonly spanId?: string;
  /**
   * Set if the arguments violate the tool's input schema. The server was then right to answer with
   * an error.
   */
  readonly argumentProblem?: string;
  /** Set if the result violates the tool's output schema. */
  readonly resultProblem?: string;
  /** Set if the tool was not called, because clients must hide it. */
  readonly exclusion?: string;
}

/** Only the status `rendered` is a success. */
export interface RenderEvidence {
  readonly status: string;
  readonly promptIndex?: number;
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
