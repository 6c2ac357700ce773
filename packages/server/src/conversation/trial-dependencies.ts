import type { ChosenModel, PatternEngine, Transcript, TrialWarning } from '@proofmark/domain';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import type { OwnScorers } from '../outside/scorers/own-scorers.ts';
import type { RunServers, TrialServers } from './run-servers.ts';

export interface TrialDependencies {
  readonly servers: RunServers;
  readonly models: Pick<ModelGateway, 'generate'>;
  /** The models for judges in a trial, if their usage is paid separately (default: `models`). */
  readonly judgeModels?: Pick<ModelGateway, 'generate'>;
  /** The own scorers; absent if none can be called. */
  readonly scorers?: OwnScorers;
  /** Returns the model chosen at the launch, with the caller's API key if the model needs one. */
  modelOf(variant: { readonly model: string; readonly provider?: string }): {
    readonly model: ChosenModel;
    readonly apiKey?: string;
  };
  /** The texts of the plan's skills, by skill version id. */
  readonly skillTexts: ReadonlyMap<string, string>;
  readonly patterns: PatternEngine;
  /** The renderer; without it no widget can be rendered. */
  readonly widgets?: WidgetsHere;
  /**
   * Coordinates between processes who makes the calls after a trial. Without it, only this process
   * can make them.
   */
  readonly after?: AfterOfTrial;
  /**
   * Redacts secrets that were sent to servers. It is called before a text is cut, because a cut
   * inside a secret would leave its beginning.
   */
  redact?<Kept>(kept: Kept): Kept;
  /**
   * Whether values may contain redaction marks, as in a replay. An assertion about such a value
   * cannot be answered.
   */
  readonly hasMarks?: boolean;
  /**
   * Returns a sentence if the replay has diverged. It is asked for at the end, because a widget may
   * have swallowed the thrown error.
   */
  divergedBy?(): string | undefined;
  /** Called with what assertions see of the trial, when the trial has ended. */
  onSeen?(transcript: Transcript): void;
  /** Returns milliseconds since 1970. `elapsedMs` returns the time of a monotonic clock. */
  now(): number;
  elapsedMs(): number;
}

/** The calls after one trial. Only the first process that claims them makes them. */
export interface AfterOfTrial {
  /** Marks the calls as due, so that they are made whatever happens to the trial. */
  owe(): Promise<void>;
  /** Marks the calls as no longer due, because nothing that needs a clean-up was started. */
  withdraw(): Promise<void>;
  /**
   * Makes the calls if they are still due here: no other process has claimed them, and the trial
   * will not start again. `calls` reports when the first one was sent, and returns the warnings.
   */
  make(
    calls: (signal: AbortSignal, onBegun: () => void) => Promise<readonly TrialWarning[]>,
  ): Promise<void>;
}

/** The dependencies of one trial, with the servers in its own sessions. */
export type OwnSessionDependencies = Omit<TrialDependencies, 'servers'> & {
  readonly servers: TrialServers;
};
