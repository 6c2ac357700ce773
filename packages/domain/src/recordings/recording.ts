/**
 * The requests of one trial to models and servers, with their answers, in order, so that it can be
 * replayed. Durations are stored separately: equal conversations have equal content.
 */
import type { SetupSignal } from '../chain/trial-evidence.ts';
import type { Json } from '../kernel/json.ts';

/** The size limit for one trial, as canonical JSON. */
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
  /** Its answer to `initialize`; null if there was none. */
  readonly initialize: Json | null;
  readonly tools: readonly Json[];
  /** One sentence, if the session could not be opened. */
  readonly failure?: string;
  readonly needsOAuth?: true;
  /** The first line on its standard output that was no message. */
  readonly noise?: string;
  /** The trial ended before the session was open. */
  readonly unanswered?: true;
  /** The signals for all servers together, if one could not be opened. */
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
}

export type RecordingExchange =
  | ModelExchange
  | CallExchange
  | AskExchange
  | ServerRequestExchange
  | ScorerExchange;

/** One request to a model. A judge inside the trial is no model under test. */
export interface ModelExchange {
  readonly kind: 'model';
  readonly by: 'trial' | 'judge';
  /** SHA-256 of the canonical JSON of the whole request, with its marks. */
  readonly hash: string;
  readonly request: RecordedRequest;
  readonly answer?: Json;
  readonly error?: Json;
}

/** The request as one value, whose hash is stored. */
export interface WholeRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  readonly tools: readonly unknown[];
  readonly messages: readonly unknown[];
}

/**
 * A request in recorded form. Since a conversation grows at its end, a later request stores only
 * its new messages.
 */
export interface RecordedRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  /** If absent, the tools of the exchange in `after`. */
  readonly tools?: readonly unknown[];
  /** The place of an earlier model exchange, whose first `keptMessages` messages are reused. */
  readonly after?: number;
  readonly keptMessages?: number;
  readonly messages: readonly unknown[];
}

export interface CallExchange {
  readonly kind: 'call';
  readonly serverName: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** 1, 2, 3 … among equal calls of the trial. */
  readonly nth: number;
  /** As the server sent it. */
  readonly result?: unknown;
  /** The findings of our own checks of the result. */
  readonly checks?: Json;
  /** The reason for a missing result. With neither, the trial ended before a result came. */
  readonly error?: Json;
  /** The reason why the former session was lost and a new one was opened for the call. */
  readonly reopenedAfter?: string;
}

/** Any other request to a server: prompts and resources. */
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

/** A request of a server to the client: for an answer of a model or of the user. */
export interface ServerRequestExchange {
  readonly kind: 'sampling' | 'elicitation';
  readonly serverName: string;
  /** The place of the call during which it came; null if there was none. */
  readonly during: number | null;
  readonly request: unknown;
  readonly answer?: unknown;
  readonly error?: Json;
}

/** A request to an own scorer about the trial. */
export interface ScorerExchange {
  readonly kind: 'scorer';
  /** The scorer's name in the assertion. */
  readonly name?: string;
  /** SHA-256 of the canonical JSON of the request, with a word for each mark. */
  readonly hash: string;
  /** The request; absent if it is so large that only its hash is stored. */
  readonly request?: unknown;
  /** Its score or its problem. With neither, the trial ended before an answer came. */
  readonly answer?: Json;
}

/** The size limit for a scorer's request that is stored beside its conversation. */
export const maxKeptQuestionBytes = 64 * 1024;

/** Durations in milliseconds, by the place of the exchange. */
export interface RecordingDurations {
  /** Absent if it was not measured. */
  readonly trialMs?: number;
  readonly servers: readonly { readonly connectMs: number; readonly listMs: number }[];
  readonly exchanges: readonly (ExchangeDuration | null)[];
  /**
   * The kind of the secret behind each mark, by its number. It is stored per trial, since equal
   * content may have masked other secrets.
   */
  readonly masked?: readonly string[];
}

export interface ExchangeDuration {
  readonly durationMs: number;
  /** The part of that in which our process stood still. */
  readonly stillMs?: number;
}
