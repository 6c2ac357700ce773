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
  /**
   * Calls own scorers (an organization's HTTP programs that score trials). Absent if none can be
   * called.
   */
  readonly scorers?: OwnScorers;
  /** Returns the model chosen at launch, with the caller's API key if the model needs one. */
  modelOf(variant: { readonly model: string; readonly provider?: string }): {
    readonly model: ChosenModel;
    readonly apiKey?: string;
  };
  /** By skill version id. */
  readonly skillTexts: ReadonlyMap<string, string>;
  readonly patterns: PatternEngine;
  /** Without this, no widget can be rendered. */
  readonly widgets?: WidgetsHere;
  /**
   * Decides which process makes the clean-up calls after a trial. Without this, only this process
   * can make them.
   */
  readonly after?: AfterOfTrial;
  /**
   * Redacts secrets that were sent to servers. Must be called before a text is cut, because a cut
   * inside a secret would leave its beginning.
   */
  redact?<Kept>(kept: Kept): Kept;
  /**
   * Whether values may contain redaction marks, as in a replay. An assertion that needs such a
   * value cannot be answered.
   */
  readonly hasMarks?: boolean;
  /**
   * Returns a sentence if the replay has diverged from its recording. Called at the end of the
   * trial, because a widget may have caught the error that reported the divergence.
   */
  divergedBy?(): string | undefined;
  /** Called once the trial has ended, with the transcript that assertions use. */
  onSeen?(transcript: Transcript): void;
  /** `now` returns milliseconds since 1970. `elapsedMs` reads a monotonic clock. */
  now(): number;
  elapsedMs(): number;
}

/** The clean-up calls after one trial. Only the first process that claims them makes them. */
export interface AfterOfTrial {
  /** Marks the calls as due. From then on they are made even if the trial fails. */
  owe(): Promise<void>;
  /** Marks the calls as no longer due, because no action that needs a clean-up was started. */
  withdraw(): Promise<void>;
  /**
   * Makes the calls if they are still due: no other process has claimed them, and the trial will
   * not start again. `calls` must call `onBegun` when it sends its first call.
   */
  make(
    calls: (signal: AbortSignal, onBegun: () => void) => Promise<readonly TrialWarning[]>,
  ): Promise<void>;
}

export type OwnSessionDependencies = Omit<TrialDependencies, 'servers'> & {
  readonly servers: TrialServers;
};
