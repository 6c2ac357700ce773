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
  readonly configured: readonly ConfiguredModels[];
  readonly offer: ModelOffer;
  priceOf(model: ChosenModel): ModelPrice | undefined;
  /**
   * Returns whether the operator pays for the model: false for models on a key of the caller or of
   * the organization.
   */
  isPaidByOperator(model: ChosenModel): boolean;
  /**
   * Passes every API key that this gateway sends to `note`, so that the caller can redact the keys
   * in what it stores.
   */
  noteKeys?(note: (key: string) => void): void;
  /**
   * Returns one answer of the model. Every failure of the provider rejects with a ModelFailure,
   * after a limited number of retries.
   */
  generate(
    model: ChosenModel,
    request: ModelRequest,
    options: {
      readonly signal: AbortSignal;
      readonly apiKey?: string;
      /** The maximum number of times the request is sent (default: the limit of the gateway). */
      readonly sends?: number;
      /**
       * Returns the caller's remaining time in milliseconds. If the provider asks for a longer
       * wait, the request fails at once.
       */
      remainingMs?(): number;
      /**
       * Slots for concurrent requests to the provider, shared by all processes. If absent, the
       * limit applies to this process only.
       */
      readonly places?: Places;
      /**
       * Called with true when the request is sent, and with false when it was rejected and waits to
       * be sent again, or was aborted before it was sent.
       */
      onSent?(isSent: boolean): void;
      /**
       * Called with all of the text so far whenever the text grows. If the request is sent again,
       * the text begins again. Some models report the text only once, at the end.
       */
      onText?(soFar: string): void;
      /**
       * Called with true when the call starts to wait for credits, and with false afterwards; that
       * wait does not count as the caller's time.
       */
      onHeld?(isHeld: boolean): void;
    },
  ): Promise<ModelReply>;
  /**
   * Returns a gateway with these providers added; a configured provider takes precedence over a
   * saved one of the same name. The caller must close the gateway; otherwise the clients of these
   * providers, including their keys, stay in memory.
   */
  including(saved: readonly SavedProvider[]): ModelGateway;
  close(): Promise<void>;
}

export type OfferedModels = Pick<
  ModelGateway,
  'configured' | 'offer' | 'priceOf' | 'isPaidByOperator' | 'including'
>;

export interface ConfiguredModels extends Omit<ModelProvider, 'apiKey' | 'baseUrl' | 'isTenants'> {
  readonly hasKey: boolean;
}

/** The price of a model in US dollars per million tokens. */
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

/**
 * A tool as the model sees it. Its name has at most 64 characters: letters, digits, `_` and `-`.
 */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | ({ readonly type: 'tool-call' } & ModelToolCall);

/**
 * The reasoning of a model before its answer. Providers want it back in later requests. The caller
 * must pass back the same object, because the provider's signature is stored by object identity.
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
   * The model's original text if the arguments are no JSON object. `input` is then `{}`, and the
   * trial is graded on this mistake of the model.
   */
  readonly invalidInput?: string;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  /**
   * `json` has the result as the server sent it; `error-text` has the reason why there is no
   * result.
   */
  readonly output:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'error-text'; readonly value: string };
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly reasoning?: readonly ReasoningPart[];
  /**
   * Parameters of the request that this model does not support; the request was sent without them.
   */
  readonly ignored?: readonly ModelParameterName[];
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  readonly responseId?: string;
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

export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}
