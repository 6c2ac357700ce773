/** The interface of `model`: the available models, and one answer of a model at a time. */
import type {
  ChosenModel,
  Json,
  ModelOffer,
  ModelParameterName,
  Places,
  ReasoningEffort,
  SavedProvider,
} from '@proofmark/domain';
import type { ModelProvider } from './model-provider.ts';

export interface ModelGateway {
  /** The providers of the configuration, without their addresses and keys. */
  readonly configured: readonly ConfiguredModels[];
  readonly offer: ModelOffer;
  /** Returns the configured price of a hosted model; undefined if none is configured. */
  priceOf(model: ChosenModel): ModelPrice | undefined;
  /**
   * Returns whether the operator pays for it: false for models on a key of the caller or of the
   * organization.
   */
  isPaidByOperator(model: ChosenModel): boolean;
  /**
   * Passes every key that requests are sent with to `note`, for code that must store none of them.
   */
  noteKeys?(note: (key: string) => void): void;
  /** Returns one answer. Every failure of the provider is a ModelFailure, after limited retries. */
  generate(
    model: ChosenModel,
    request: ModelRequest,
    options: {
      readonly signal: AbortSignal;
      /** The caller's key for the provider; required for every model that is not hosted. */
      readonly apiKey?: string;
      /** The most times to send the request (default: the limit). */
      readonly sends?: number;
      /** Returns the remaining time: a longer wait that the provider asks for is not made. */
      remainingMs?(): number;
      /**
       * The places that count requests to the provider over all processes (default: only in this
       * process).
       */
      readonly places?: Places;
      /**
       * Called with true when the request is sent, and with false when it was rejected and waits to
       * be sent again, or was aborted before it was sent.
       */
      onSent?(isSent: boolean): void;
      /**
       * Called with all of the text so far whenever it grows; a resent request begins anew. Some
       * models report the text only once.
       */
      onText?(soFar: string): void;
      /** Called while the call waits for credits, which does not count as the caller's time. */
      onHeld?(isHeld: boolean): void;
    },
  ): Promise<ModelReply>;
  /**
   * Returns the same models together with these; a provider of the configuration takes precedence
   * over one of the same name. The caller must close it: the facts about these providers, keys
   * above all, are kept while somebody uses them.
   */
  including(saved: readonly SavedProvider[]): ModelGateway;
  close(): Promise<void>;
}

/** The parts that a launch needs. */
export type OfferedModels = Pick<
  ModelGateway,
  'configured' | 'offer' | 'priceOf' | 'isPaidByOperator' | 'including'
>;

export interface ConfiguredModels extends Omit<ModelProvider, 'apiKey' | 'baseUrl' | 'isTenants'> {
  readonly hasKey: boolean;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: 'auto' | 'required' | 'none';
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly reasoningEffort?: ReasoningEffort;
}

/** A tool as the model sees it; its name has letters, digits, `_` and `-`, at most 64. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

/** Messages in the form of a trace. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | ({ readonly type: 'tool-call' } & ModelToolCall);

/**
 * The reasoning of a model before its answer. It is no part of the answer; providers want it back
 * with the conversation, in this same object, with which their signatures are stored.
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface ModelToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  /**
   * The model's text if it was no JSON object; `input` is then empty, and the mistake is the
   * model's.
   */
  readonly invalidInput?: string;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  /**
   * `json` has the result as the server sent it; `error-text` has the reason why there was none.
   */
  readonly output:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'error-text'; readonly value: string };
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** Absent if the provider shows none. */
  readonly reasoning?: readonly ReasoningPart[];
  /** Stated parameters that this model does not support; the request was sent without them. */
  readonly ignored?: readonly ModelParameterName[];
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  readonly responseId?: string;
  /** The number of times the request was sent. */
  readonly attempts: number;
}

export const finishReasons = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
  'unknown',
] as const;
export type FinishReason = (typeof finishReasons)[number];

/** The provider's counts; nothing is estimated. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}
