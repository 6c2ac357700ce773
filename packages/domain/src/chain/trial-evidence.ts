/**
 * Everything the stage chain of one trial is derived from. What is not known is left out: an absent
 * member is never read as a good one.
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
  /** A replay that went another way than the recorded trial, and was ended there. */
  readonly diverged?: boolean;
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
  /** How many tools the server listed. */
  readonly toolCount?: number;
  readonly tracePresent: boolean;
  /** Whether the program that ran the trial records spans at all. */
  readonly executorEmitsSpans: boolean;
  readonly spans: readonly SpanEvidence[];
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  readonly toolErrors: readonly ToolErrorEvidence[];
  /** Of which nobody can tell whether the case states them: they count for nothing, and their stage is not measured. */
  readonly openErrors?: readonly ToolErrorEvidence[];
  readonly renders: readonly RenderEvidence[];
  /** The goal-completion judge. Absent when no verdict of it was ever owed. */
  readonly judge?: JudgeEvidence;
  /** What a judge of causes says about a wrong selection. */
  readonly attribution?: AttributionEvidence;
  /** The grader itself failed. */
  readonly evaluatorError?: boolean;
  /** The call to the model itself failed. */
  readonly providerError?: boolean;
}

/** What the case says, known before it runs. */
export interface AuthoredFacts {
  readonly hasPrompt: boolean;
  readonly expectsToolCall: boolean;
  readonly isNegativeTest: boolean;
  readonly hasAssertion: boolean;
  readonly hasExpectedOutput: boolean;
  readonly assertsWidget: boolean;
  /** Stages that a gating assertion of the case is about. Absent in evidence that was stored before it was told. */
  readonly assertedStages?: readonly Stage[];
}

/** `ours`: our side's fault. `theirs`: the server's, as far as the shape of the failure tells. */
export type Attribution = 'ours' | 'theirs' | 'unknown';

export type SetupSignal =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly attribution: Attribution;
      /** Our own egress was seen to work. */
      readonly egressVerified: boolean;
    };

export interface SpanEvidence {
  readonly id: string;
  readonly category: string;
  readonly status?: 'ok' | 'error';
  readonly toolName?: string;
  readonly promptIndex?: number;
  /** Only a call that got no result has one. */
  readonly mcpErrorCode?: number;
  /**
   * `theirs`: the code came over the wire. `ours`: our own transport made it. Absent in traces that do not say; there
   * the codes of a closed connection and of a timeout are taken for the transport's.
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
  /** Nobody could tell whether its calls are the expected ones; then nothing above says so. */
  readonly unanswered?: boolean;
  /** The spans of those calls, as far as they are known. */
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
  /** The spans of the calls that broke it, where it forbids calls. */
  readonly spanIds?: readonly string[];
  /** Nobody could answer it; `passed` is then false and means nothing. */
  readonly unanswered?: boolean;
  /** The tool that was never called was chosen, with arguments that no call can be made of. */
  readonly wasAskedFor?: boolean;
  /** Of one that a judge answered: the word for how far the goal was missed. */
  readonly judgedAs?: JudgedAs;
}

export type JudgedAs = 'judgePartial' | 'judgeFailed';

/**
 * `content-error`: the server answered `isError: true`, or with a result that breaks the tool's own output schema.
 * `protocol-error`: there was no result.
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

/** One attempt to show a widget. Only the status `rendered` is a success. */
export interface RenderEvidence {
  readonly status: string;
  readonly promptIndex?: number;
  /** Why it was no success, where that is known. */
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
