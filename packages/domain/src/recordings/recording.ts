/**
 * What one trial said to models and servers and what they answered, in the order in which it was asked, so that it can be
 * played again. How long things took stands apart: equal conversations have equal content.
 */
import type { SetupSignal } from '../chain/trial-evidence.ts';
import type { Json } from '../kernel/json.ts';

/** The most that is kept of one trial, as canonical JSON. */
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
  /** Its answer to initialize; null where it did not come so far. */
  readonly initialize: Json | null;
  readonly tools: readonly Json[];
  /** One sentence, where it could not be opened. */
  readonly failure?: string;
  readonly needsOAuth?: true;
  /** The first line on its standard output that was no message. */
  readonly noise?: string;
  /** The trial was over before it was open. */
  readonly unanswered?: true;
  /** Of all servers together, where one could not be opened. */
  readonly connect?: SetupSignal;
  readonly toolsList?: SetupSignal;
}

export type RecordingExchange =
  | ModelExchange
  | CallExchange
  | AskExchange
  | ServerRequestExchange
  | ScorerExchange;

/** One request to a model; a judge who is asked in the trial is no model under test. */
export interface ModelExchange {
  readonly kind: 'model';
  readonly by: 'trial' | 'judge';
  /** SHA-256 of the canonical JSON of the whole request, as it stands here. */
  readonly hash: string;
  readonly request: RecordedRequest;
  readonly answer?: Json;
  readonly error?: Json;
}

/** The request as one value, which is what its hash is of. */
export interface WholeRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  readonly tools: readonly unknown[];
  readonly messages: readonly unknown[];
}

/** A conversation grows at its end: of a later request only what is new is said. */
export interface RecordedRequest {
  readonly model: string;
  readonly parameters: Json;
  readonly system?: unknown;
  /** Absent: those of the exchange that `after` names. */
  readonly tools?: readonly unknown[];
  /** The place of an earlier exchange with a model, of whose messages the first so many are kept. */
  readonly after?: number;
  readonly keptMessages?: number;
  readonly messages: readonly unknown[];
}

export interface CallExchange {
  readonly kind: 'call';
  readonly serverName: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** 1, 2, 3 … of equal calls of the trial. */
  readonly nth: number;
  /** As the server sent it. */
  readonly result?: unknown;
  /** What our own checks said of the result. */
  readonly checks?: Json;
  /** Why there was no result. With neither, the trial was over before one came. */
  readonly error?: Json;
  /** Why the session was lost that was opened anew for the call. */
  readonly reopenedAfter?: string;
}

/** Anything else that was asked of a server: prompts and resources. */
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

/** What a server asked of us: an answer of a model, or of the user. */
export interface ServerRequestExchange {
  readonly kind: 'sampling' | 'elicitation';
  readonly serverName: string;
  /** The place of the call it was asked in; null where none was under way. */
  readonly during: number | null;
  readonly request: unknown;
  readonly answer?: unknown;
  readonly error?: Json;
}

/** A scorer of the organization's own, asked about the trial. */
export interface ScorerExchange {
  readonly kind: 'scorer';
  /** What the assertion calls it. */
  readonly name?: string;
  /** SHA-256 of the canonical JSON of the question, with a word for each mark. */
  readonly hash: string;
  /** The question; absent where it is so large that it is known by its hash alone. */
  readonly request?: unknown;
  /** Its score, or the problem that there was instead. With neither, the trial was over before one came. */
  readonly answer?: Json;
}

/** The largest question to a scorer that is kept beside the conversation that it is about. */
export const maxKeptQuestionBytes = 64 * 1024;

/** In milliseconds, by the place of the exchange. */
export interface RecordingDurations {
  /** Absent where nobody kept the time. */
  readonly trialMs?: number;
  readonly servers: readonly { readonly connectMs: number; readonly listMs: number }[];
  readonly exchanges: readonly (ExchangeDuration | null)[];
  /** What stood at each mark, by its number; of the trial, since another may say the same beside other secrets. */
  readonly masked?: readonly string[];
}

export interface ExchangeDuration {
  readonly durationMs: number;
  /** How much of that our process stood still. */
  readonly stillMs?: number;
}
