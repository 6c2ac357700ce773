/**
 * Everything the stage chain of one trial is derived from. What is not known is left out: an absent
 * member is never read as a good one.
 */
import type { TrialStatus } from '../verdict/decision.ts';

export interface TrialEvidence {
  readonly authored: AuthoredFacts;
  readonly status: TrialStatus;
  readonly blockedByPolicy?: boolean;
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
}

/** `ours`: our side's fault. `theirs`: the server's, as far as the shape of the failure tells. */
export type Attribution = 'ours' | 'theirs' | 'unknown';

export type SetupSignal =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly attribution: Attribution;
      /** Our own way out to the network was seen to work. */
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
}

/** The matcher's summary of one turn. `passed` is the turn's verdict under its match options. */
export interface TurnEvidence {
  readonly promptIndex?: number;
  readonly calledCount?: number;
  readonly missingCount: number;
  readonly unexpectedCount: number;
  readonly argumentMismatchCount: number;
  readonly passed?: boolean;
}

/** One result of an assertion. An advisory one never enters the chain. */
export interface AssertionEvidence {
  readonly type: string;
  readonly passed: boolean;
  readonly reason?: string;
  readonly promptIndex?: number;
  readonly advisory?: boolean;
}

/** `content-error`: the server answered `isError: true`. `protocol-error`: there was no result. */
export interface ToolErrorEvidence {
  readonly kind: 'content-error' | 'protocol-error';
  readonly toolName?: string;
  readonly promptIndex?: number;
}

/** One attempt to show a widget. Only the status `rendered` is a success. */
export interface RenderEvidence {
  readonly status: string;
  readonly promptIndex?: number;
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
