import type { GuestBudget, PlaceLimits, VisitLine } from '@proofmark/domain';
import type { LaunchContext } from '../../evals/index.ts';
import type { ChatTurnRunner } from '../../playground/index.ts';
import type { VisitorIdentity } from '../store/visitors.ts';

export interface TurnToRun {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly scenarioId: string;
  readonly sessionId: string;
  readonly clientTurnId: string;
  readonly grantId: string;
  readonly identity: VisitorIdentity;
  readonly text: string;
  readonly placeLimits: PlaceLimits;
  readonly played: PlayedEnvironment;
  /** The limits of a guest. Absent for visitors who are no guests. */
  readonly guest?: {
    readonly budget: Exclude<GuestBudget, { readonly refusal: unknown }>;
    readonly onlyReads: boolean;
    readonly sharedSkills: boolean;
  };
}

export interface PlayedEnvironment extends Pick<LaunchContext, 'servers' | 'skills'> {
  readonly environmentId: string;
  readonly client: NonNullable<LaunchContext['played']>;
}

export interface TurnRunner extends ChatTurnRunner {
  /**
   * Runs a turn whose row already exists, until it ends. If the turn is refused before a line was
   * sent, its row is deleted and the refusal is thrown.
   */
  run(turn: TurnToRun, send: (line: VisitLine) => void): Promise<void>;
  /** Stops the running turns. Each gets a last line that says so. */
  close(): Promise<void>;
}
