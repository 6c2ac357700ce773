/** What `model` offers to others: what can be run, and one answer of a model at a time. */
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
  /** What a hosted model costs as it was configured; absent where nothing is said. */
  priceOf(model: ChosenModel): ModelPrice | undefined;
  /** Whether the operator pays for it: not what runs on a key of the caller or of the organization. */
  isPaidByOperator(model: ChosenModel): boolean;
  /** Tells every key that requests are sent with, for who must keep none of them. */
  noteKeys?(note: (key: string) => void): void;
  /** One answer. Whatever the provider does wrong is a ModelFailure, after the bounded retries. */
  generate(
    model: ChosenModel,
    request: ModelRequest,
    options: {
      readonly signal: AbortSignal;
      /** The caller's key for the provider; needed by every model that is not hosted. */
      readonly apiKey?: string;
      /** How often it is sent at most; where nothing is said, as often as the limits allow. */
      readonly sends?: number;
      /** The time there is: a provider that asks us to wait for longer is not waited for. */
      remainingMs?(): number;
      /** Where requests to the provider are counted over all processes; left out, this process counts its own. */
      readonly places?: Places;
      /** Heard when the request goes out, and when it was refused and waits to be sent again, or was given up before it left. */
      onSent?(isSent: boolean): void;
      /** Hears all of the text so far whenever there is more; sent again, it begins anew. Models may say it all at once. */
      onText?(soFar: string): void;
      /** Heard while the call waits for credits, which is no time of whoever asks. */
      onHeld?(isHeld: boolean): void;
    },
  ): Promise<ModelReply>;
  /**
   * The same models and these beside them; a provider of the configuration stands where both have a name. Whoever asks
   * closes it: what is known of these providers, keys above all, is kept as long as somebody uses them.
   */
  including(saved: readonly SavedProvider[]): ModelGateway;
  close(): Promise<void>;
}

/** What a launch needs of it. */
export type OfferedModels = Pick<
  ModelGateway,
  'configured' | 'offer' | 'priceOf' | 'isPaidByOperator' | 'including'
>;

export interface ConfiguredModels extends Omit<ModelProvider, 'apiKey' | 'baseUrl' | 'isTenants'> {
  readonly hasKey: boolean;
}

/** In US dollars for a million tokens. */
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

/** The names are those the model sees: letters, digits, `_` and `-`, at most 64. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Json;
}

/** As they stand in a trace. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | ReasoningPart
  | ({ readonly type: 'tool-call' } & ModelToolCall);

/**
 * What the model thought before it answered. It is no part of the answer; providers want it back with the conversation, in
 * this very object, which their signatures are kept beside.
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface ModelToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  /** The text the model sent when it was no JSON object; `input` is then empty, and the mistake is the model's. */
  readonly invalidInput?: string;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  /** `json` holds the result as the server sent it; `error-text` says why there was none. */
  readonly output:
    | { readonly type: 'json'; readonly value: unknown }
    | { readonly type: 'error-text'; readonly value: string };
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** Absent where the provider shows none. */
  readonly reasoning?: readonly ReasoningPart[];
  /** What was stated and this model does not take; it was asked without. */
  readonly ignored?: readonly ModelParameterName[];
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  readonly responseId?: string;
  /** How often the request was sent. */
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

/** What the provider counted; nothing is made up. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}
