import type { ChosenModel, PatternEngine, Transcript, TrialWarning } from '@proofmark/domain';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import type { OwnScorers } from '../outside/scorers/own-scorers.ts';
import type { RunServers, TrialServers } from './run-servers.ts';

export interface TrialDependencies {
  readonly servers: RunServers;
  readonly models: Pick<ModelGateway, 'generate'>;
  /** The same for judges in a trial, if they are paid separately. */
  readonly judgeModels?: Pick<ModelGateway, 'generate'>;
  /** Absent if no own scorer can be called. */
  readonly scorers?: OwnScorers;
  /** Returns the model chosen at the launch, with the caller's key if it needs one. */
  modelOf(variant: { readonly model: string; readonly provider?: string }): {
    readonly model: ChosenModel;
    readonly apiKey?: string;
  };
  /** The texts of the plan's skills, by skillVersionId. */
  readonly skillTexts: ReadonlyMap<string, string>;
  readonly patterns: PatternEngine;
  /** Without it, no widget can be rendered. */
  readonly widgets?: WidgetsHere;
  /**
   * Coordinates the calls after a trial between processes; without it, only this one can make them.
   */
  readonly after?: AfterOfTrial;
  /**
   * Redacts secrets that were sent to servers, before a text is cut: a cut through a secret would
   * leave its beginning.
   */
  redact?<Kept>(kept: Kept): Kept;
  /**
   * True for a replay, in which redacted values are marks: an assertion about them has no answer.
   */
  readonly hasMarks?: boolean;
  /** Returns one sentence if the replay has diverged: a widget may have swallowed the error. */
  divergedBy?(): string | undefined;
  /** Called with the transcript for assertions when the trial has ended. */
  onSeen?(transcript: Transcript): void;
  /** `now`: milliseconds since 1970. `elapsedMs`: a monotonic clock. */
  now(): number;
  elapsedMs(): number;
}

/** The calls after one trial, which only the first process that takes them makes. */
export interface AfterOfTrial {
  /** Marks them as due, whatever happens to the trial. */
  owe(): Promise<void>;
  /** Marks them as not due: nothing began that needs a clean-up. */
  withdraw(): Promise<void>;
  /**
   * Makes them, if they are still due here: no other process took them, and the trial will not
   * begin again. `calls` reports when the first was sent, and returns the warnings.
   */
  make(
    calls: (signal: AbortSignal, onBegun: () => void) => Promise<readonly TrialWarning[]>,
  ): Promise<void>;
}

/** The same for one trial, with the servers in its own sessions. */
export type OwnSessionDependencies = Omit<TrialDependencies, 'servers'> & {
  readonly servers: TrialServers;
};
