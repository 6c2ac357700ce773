/**
 * The evidence from which the stage chain of one trial is derived. Unknown facts are left out; an
 * absent member never counts as a success.
 */
import type { TrialStatus } from '../verdict/decision.ts';
import type { Stage } from './vocabulary.ts';

export interface TrialEvidence {
  readonly authored: AuthoredFacts;
  readonly status: TrialStatus;
  readonly blockedByPolicy?: boolean;
  /**
   * Where a policy refused a call and so ended a trial that was under way: at the call of the model or of the case, or at
   * the response, where a widget made the call. Absent where nothing was played.
   */
  readonly refusedAt?: 'call' | 'response';
  /** Of a refused trial: the case says something about the choice of tools that was not answered until then. */
  readonly isChoiceOpen?: boolean;
  /** A replay that was ended because it diverged from the recorded trial. */
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
   * Errors of which it is unknown whether the case expects them. They count for nothing, and their
   * stage is not measured.
   */
  readonly openErrors?: readonly ToolErrorEvidence[];
  readonly renders: readonly RenderEvidence[];
  /** The result of the goal-completion judge; absent if none was due. */
  readonly judge?: JudgeEvidence;
  /** The grade of a wrong selection by a judge of causes. */
  readonly attribution?: AttributionEvidence;
  /** The grader itself failed. */
  readonly evaluatorError?: boolean;
  /** The call to the model itself failed. */
  readonly providerError?: boolean;
}

/** Facts of the case that are known before it runs. */
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
 * `ours`: our side's fault. `theirs`: the server's fault, as far as the shape of the failure shows.
 */
export type Attribution = 'ours' | 'theirs' | 'unknown';

export type SetupSignal =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly attribution: Attribution;
      /** Our own egress is known to work. */
      readonly egressVerified: boolean;
    };

export interface SpanEvidence {
  readonly id: string;
  readonly category: string;
  readonly status?: 'ok' | 'error';
  readonly toolName?: string;
  readonly promptIndex?: number;
  /** Present only for a call without a result. */
  readonly mcpErrorCode?: number;
  /**
   * `theirs`: the code came over the wire. `ours`: our own transport made it. Absent in traces
   * without the origin; there the codes of a closed connection and of a timeout count as the
   * transport's.
   */
  readonly mcpErrorOrigin?: McpErrorOrigin;
}

export const mcpErrorOrigins = ['ours', 'theirs'] as const;
export type McpErrorOrigin = (typeof mcpErrorOrigins)[number];

/** The matcher's summary of one turn. `passed` is the turn's verdict under its match options. */
export interface TurnEvidence {
  readonly promptIndex?: number;
  readonly calledCount?: number;
  readonly missingCount: number;
  readonly unexpectedCount: number;
  readonly argumentMismatchCount: number;
  readonly passed?: boolean;
  /** It is unknown whether its calls are the expected ones; then no count above says so. */
  readonly unanswered?: boolean;
  /** The spans of those calls, if they are known. */
  readonly mismatchedSpanIds?: readonly string[];
  readonly unexpectedSpanIds?: readonly string[];
}

/** One result of an assertion. An advisory one never enters the chain. */
export interface AssertionEvidence {
  readonly type: string;
  readonly passed: boolean;
  readonly reason?: string;
  readonly promptIndex?: number;
  readonly advisory?: boolean;
  /** The spans of the calls that broke it, if it forbids calls. */
  readonly spanIds?: readonly string[];
  /** The assertion has no answer; `passed` is then false without meaning. */
  readonly unanswered?: boolean;
  /** The model chose the tool that was never called, but its arguments were unusable. */
  readonly wasAskedFor?: boolean;
  /** How far the goal was missed, if a judge answered. */
  readonly judgedAs?: JudgedAs;
}

export type JudgedAs = 'judgePartial' | 'judgeFailed';

/**
 * `content-error`: the server answered `isError: true`, or with a result that breaks the tool's own
 * output schema. `protocol-error`: there was no result.
 */
export interface ToolErrorEvidence {
  readonly kind: 'content-error' | 'protocol-error';
  readonly toolName?: string;
  readonly promptIndex?: number;
  /** The span of the call. */
  readonly spanId?: string;
  /** How the arguments break the tool's own input schema: the server was right to answer with an error. */
  readonly argumentProblem?: string;
  /** How the result breaks the tool's own output schema. */
  readonly resultProblem?: string;
}

/** One attempt to render a widget. Only the status `rendered` is a success. */
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
