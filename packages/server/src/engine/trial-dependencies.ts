import type { ChosenModel, PatternEngine } from '@proofmark/domain';
import type { ModelGateway } from '../model/model-gateway.ts';
import type { OwnScorers } from '../scorers/own-scorers.ts';
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
  /** Milliseconds since 1970, and a clock that never goes back. */
  now(): number;
  elapsedMs(): number;
}

/** The same for one trial: its servers are those of its own sessions. */
export type OwnSessionDependencies = Omit<TrialDependencies, 'servers'> & {
  readonly servers: TrialServers;
};
