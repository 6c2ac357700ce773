import type { ChosenModel, PatternEngine, Transcript, TrialWarning } from '@proofmark/domain';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import type { OwnScorers } from '../outside/scorers/own-scorers.ts';
import type { RunServers, TrialServers } from './run-servers.ts';

export interface TrialDependencies {
  readonly servers: RunServers;
  readonly models: Pick<ModelGateway, 'generate'>;
  /** The same, for judges who are asked in a trial, where they are paid for apart. */
  readonly judgeModels?: Pick<ModelGateway, 'generate'>;
  /** Absent where no own scorer can be asked. */
  readonly scorers?: OwnScorers;
  /** As it was chosen at the launch, with the caller's key where it needs one. */
  modelOf(variant: { readonly model: string; readonly provider?: string }): {
    readonly model: ChosenModel;
    readonly apiKey?: string;
  };
  /** The texts of the plan's skills, by skillVersionId. */
  readonly skillTexts: ReadonlyMap<string, string>;
  readonly patterns: PatternEngine;
  /** Left out, no widget can be shown. */
  readonly widgets?: WidgetsHere;
  /** Whose it is to make the calls after a trial; left out, nobody else could. */
  readonly after?: AfterOfTrial;
  /** Hides what servers were sent, before a text of theirs is cut: of a secret across a cut its beginning would stay. */
  redact?<Kept>(kept: Kept): Kept;
  /** Where it is replayed, a word stands for what was taken out: who is asked about that has no answer. */
  readonly hasMarks?: boolean;
  /** One sentence, where a replay is over that went another way: a widget may not have handed that on. */
  divergedBy?(): string | undefined;
  /** Hears what assertions could see when the trial had ended. */
  onSeen?(transcript: Transcript): void;
  /** Milliseconds since 1970, and a clock that never goes back. */
  now(): number;
  elapsedMs(): number;
}

/** The calls after one trial are made once, by whoever takes them first. */
export interface AfterOfTrial {
  /** From now on they are to be made, whatever becomes of the trial. */
  owe(): Promise<void>;
  /** They are not: nothing was begun that they would clean up. */
  withdraw(): Promise<void>;
  /**
   * Makes them, where they are still to be made here: nobody else took them, and the trial will not begin again. `calls`
   * says when the first was sent, and answers with what is to be told.
   */
  make(
    calls: (signal: AbortSignal, onBegun: () => void) => Promise<readonly TrialWarning[]>,
  ): Promise<void>;
}

/** The same for one trial: its servers are those of its own sessions. */
export type OwnSessionDependencies = Omit<TrialDependencies, 'servers'> & {
  readonly servers: TrialServers;
};
