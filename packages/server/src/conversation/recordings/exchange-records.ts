/** The notes about a running trial, from which its recording is made at the end. */
import type { ChosenModel, Json } from '@proofmark/domain';
import type { McpFailure } from '../../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../../outside/mcp/mcp-gateway.ts';
import type { ModelFailure } from '../../outside/model/model-failure.ts';
import type { ModelReply, ModelRequest } from '../../outside/model/model-gateway.ts';
import type { TrialConversation } from '../../outside/scorers/own-scorers.ts';
import type { ScorerOutcome } from '../../outside/scorers/scorer-gateway.ts';

export type ExchangeDraft = ModelDraft | ServerDraft | RequestDraft | ScorerDraft;

interface Timed {
  durationMs?: number;
}

export interface ModelDraft extends Timed {
  readonly kind: 'model';
  readonly by: 'trial' | 'judge';
  readonly model: ChosenModel;
  readonly request: ModelRequest;
  answer?: ModelReply;
  error?: ModelFailure;
}

export interface ServerDraft extends Timed {
  readonly kind: 'call' | 'ask';
  readonly serverName: string;
  /** The name of the tool, or the method. */
  readonly what: string;
  readonly input: Json;
  readonly nth: number;
  /** For a call its outcome, otherwise the server's result. */
  answer?: ToolOutcome | unknown;
  error?: McpFailure | Error;
  /** The reason why an earlier session was lost and reopened for this exchange. */
  reopenedAfter?: string;
  /** True if the request was repeated. */
  isDropped?: true | boolean;
}

export interface ScorerDraft extends Timed {
  readonly kind: 'scorer';
  readonly url: string;
  readonly conversation: TrialConversation;
  answer?: ScorerOutcome;
  /** Never set: a scorer's errors are answers. */
  readonly error?: undefined;
}

export interface RequestDraft extends Timed {
  readonly kind: 'sampling' | 'elicitation';
  readonly serverName: string;
  readonly request: unknown;
  readonly during: ExchangeDraft | undefined;
  answer?: unknown;
  error?: Error;
}
