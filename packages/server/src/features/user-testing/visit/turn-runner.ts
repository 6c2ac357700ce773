/** Who runs the turns of people in this process: of visitors, and of those in the playground. */
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
  /** By which its visitor was admitted. */
  readonly grantId: string;
  readonly identity: VisitorIdentity;
  readonly text: string;
  readonly placeLimits: PlaceLimits;
  /** As the environment was resolved for this turn. */
  readonly played: PlayedEnvironment;
  /** What somebody whom nobody knows may spend and reach; absent for everybody else. */
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
   * Ends with the turn, whose row exists by then. Throws what refused it, where nothing of it was shown; the row is then
   * gone.
   */
  run(turn: TurnToRun, send: (line: VisitLine) => void): Promise<void>;
  /** Turns that go on are stopped, and told so. */
  close(): Promise<void>;
}
