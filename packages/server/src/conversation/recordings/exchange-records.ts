import type { ChosenModel, Json, TaskTrace } from '@proofmark/domain';
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
  /** The tool's name for a call, otherwise the requested method. */
  readonly what: string;
  readonly input: Json;
  readonly nth: number;
  answer?: ToolOutcome | unknown;
  error?: McpFailure | Error;
  /** Why the previous session was lost; present if a new session was opened for this exchange. */
  reopenedAfter?: string;
  /** Present if the server answered the call with a task. */
  task?: TaskTrace;
  /** True if the request was repeated. Such an attempt is not recorded. */
  isDropped?: true | boolean;
}

export interface ScorerDraft extends Timed {
  readonly kind: 'scorer';
  readonly url: string;
  readonly conversation: TrialConversation;
  answer?: ScorerOutcome;
  /** Errors of a scorer are recorded as answers, so this is never set. */
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
