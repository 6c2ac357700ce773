/**
 * The requests of one trial to models and servers, with their answers, in order, so that the trial
 * can be replayed. Durations are stored separately, so that equal conversations have equal content.
 */
import type { SetupSignal } from '../chain/trial-evidence.ts';
import type { Json } from '../kernel/json.ts';
import type { TaskTrace } from '../protocol/task-progress.ts';
import type { ExcludedTool } from '../surfaces/excluded-tools.ts';

/** The size limit for one trial's recording, in bytes of canonical JSON. */
export const maxRecordingBytes = 2 * 1024 * 1024;

export const recordingStates = ['kept', 'tooLarge', 'off', 'expired'] as const;
export type RecordingState = (typeof recordingStates)[number];

export interface Recording {
  readonly schemaVersion: 1;
  readonly servers: readonly RecordedServer[];
  readonly exchanges: readonly RecordingExchange[];
}

export interface RecordedServer {
  readonly serverName: string;
  /** The server's answer to `initialize`; null if there was none. */
  readonly initialize: Json | null;
  readonly tools: readonly Json[];
  /** The tools that the server listed, but that clients must hide. Absent if there are none. */
  readonly excludedTools?: readonly ExcludedTool[];
  readonly failure?: string;
  readonly needsOAuth?: true;
  /** The first line on the server's standard output that was not an MCP message. */
  readonly noise?: string;
  /** Set if the trial ended before the session was open. */
  readonly unanswered?: true;
  /** Signals about connecting to all servers; set if a server could not be opened. */
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
}

export type RecordingExchange =
  | ModelExchange
  | CallExchange
  | AskExchange
  | ServerRequestExchange
  | ScorerExchange;

/**
 * One request to a model, made by the trial or by a judge inside it. A judge is not a model under
 * test.
 */
export interface ModelExchange {
  readonly kind: 'model';
  readonly by: 'trial' | 'judge';
  /** SHA-256 of the canonical JSON of the whole request, including redaction marks. */
  readonly hash: string;
  readonly request: RecordedRequest;
  readonly answer?: Json;
  readonly error?: Json;
}

export interface WholeRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  readonly tools: readonly unknown[];
  readonly messages: readonly unknown[];
}

/**
 * A request as recorded. A conversation only grows at its end, so a later request stores only its
 * new messages.
 */
export interface RecordedRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  /** If absent, the tools are those of the exchange that `after` names. */
  readonly tools?: readonly unknown[];
  /** The position of an earlier model exchange, whose first `keptMessages` messages are reused. */
  readonly after?: number;
  readonly keptMessages?: number;
  readonly messages: readonly unknown[];
}

export interface CallExchange {
  readonly kind: 'call';
  readonly serverName: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** The number of this call among equal calls of the trial: 1, 2, 3 … */
  readonly nth: number;
  readonly result?: unknown;
  readonly checks?: Json;
  /**
   * The reason why there is no result. If `result` and `error` are both absent, the trial ended
   * before a result came.
   */
  readonly error?: Json;
  /** The reason why the former session was lost; set if a new session was opened for the call. */
  readonly reopenedAfter?: string;
  /** The states of the task with which the server answered. A replay asks for no task. */
  readonly task?: TaskTrace;
}

export interface AskExchange {
  readonly kind: 'ask';
  readonly serverName: string;
  readonly method: string;
  readonly arguments: unknown;
  readonly nth: number;
  readonly result?: unknown;
  readonly error?: Json;
  readonly reopenedAfter?: string;
}

/**
 * A request of a server to the client: to sample a model (`sampling`) or to ask the user
 * (`elicitation`).
 */
export interface ServerRequestExchange {
  readonly kind: 'sampling' | 'elicitation';
  readonly serverName: string;
  /** The position of the call during which the request came; null if it came outside a call. */
  readonly during: number | null;
  readonly request: unknown;
  readonly answer?: unknown;
  readonly error?: Json;
}

export interface ScorerExchange {
  readonly kind: 'scorer';
  readonly name?: string;
  /**
   * SHA-256 of the canonical JSON of the request, with redaction marks replaced by `[redacted]`.
   */
  readonly hash: string;
  /** Absent if the request is so large that only its hash is stored. */
  readonly request?: unknown;
  /**
   * The scorer's score, or the problem with the scorer's answer. If absent, the trial ended before
   * an answer came.
   */
  readonly answer?: Json;
}

/**
 * The size limit, in bytes, up to which a scorer's request is stored in full and not only as a
 * hash.
 */
export const maxKeptQuestionBytes = 64 * 1024;

/** Durations in milliseconds; `exchanges` has the order of the recorded exchanges. */
export interface RecordingDurations {
  readonly trialMs?: number;
  readonly servers: readonly { readonly connectMs: number; readonly listMs: number }[];
  readonly exchanges: readonly (ExchangeDuration | null)[];
  /**
   * The kind of the secret that each redaction mark replaces, by the mark's number. It is stored
   * per trial and not with the recording, since recordings with equal content may have masked
   * different secrets.
   */
  readonly masked?: readonly string[];
}

export interface ExchangeDuration {
  readonly durationMs: number;
  /**
   * The part of `durationMs` in which this process was suspended. The answer may already have
   * arrived during that time.
   */
  readonly stillMs?: number;
}
