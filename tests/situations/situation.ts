/**
 * One row of the table of situations: its set-up, its events and its required results. Expectations
 * are derived from the rules of blame and measurement, never copied from the service.
 */
import type {
  FailureCategory,
  Stage,
  StageReason,
  TaskVerdict,
  TrialStatus,
  Verdict,
} from '@proofmark/domain';
import type { FakeRequest } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import type {
  ChatRequest,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import type { ProjectCaller } from '@proofmark/harness/project-caller.ts';
import type { TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import type { StdioAddress } from '../../packages/server/src/outside/mcp/mcp-target.ts';
import type { ModelGateway } from '../../packages/server/src/outside/model/model-gateway.ts';
import type { RunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import type { Line } from './lines.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows look into answers of every shape.
export type Answer = any;

export interface StartedServer {
  /** Its address; a server of the operator's file has none. */
  readonly url?: string;
  /** Its id, if it is already saved. */
  readonly stdio?: string;
  /** Saved settings beside its address. */
  readonly saved?: object;
  readonly requests?: readonly FakeRequest[];
  stop(): Promise<void>;
}
export interface SituationFixture {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly ask: ProjectCaller;
  /**
   * Returns the body of an answer with this status; another status fails with the answer's text.
   */
  get(status: number, ...request: Parameters<ProjectCaller>): Promise<Answer>;
  /** Returns the HTTP API of a process that launches runs with these limits. */
  apiOf(limits: Partial<RunLimits>): Promise<ProjectCaller>;
  /** Started on first use and shared by all rows. */
  shared(name: string, start: () => Promise<StartedServer>): Promise<StartedServer>;
  /** The id of a server of the operator's file. */
  stdioId(name: string): string;
  restartWorker(options?: { readonly egressWorks?: boolean }): Promise<void>;
  readonly scripts: Map<string, ModelScript>;
  readonly models: ModelGateway;
  stop(): Promise<void>;
}

export type ServerStart = (fixture: SituationFixture) => Promise<StartedServer>;

export type StdioServers = Readonly<Record<string, StdioAddress>>;

/**
 * A test of `tests[]`, with the model's lines in it. `@A` and `#A` stand for the name and the id of
 * server A.
 */
export interface SituationCase {
  readonly title: string;
  readonly steps: readonly object[];
  /**
   * Line n is the answer if the conversation has n answers so far; without lines, the free model
   * plays.
   */
  readonly says?: readonly Line[];
  readonly [field: string]: unknown;
}

export interface ExpectedTrial {
  /** The title of its case; optional if there is only one. */
  readonly of?: string;
  readonly times?: number;
  readonly status: TrialStatus;
  readonly result: TaskVerdict | null;
  readonly stage?: Stage;
  readonly reason?: StageReason;
  readonly category?: FailureCategory;
  /** Reasons of chain rows that did not fail; several if the rules allow them. */
  readonly rows?: Partial<Record<Stage, StageReason | readonly StageReason[]>>;
  /** Words in the error, the observed failure and the evidence of the failed stage. */
  readonly says?: readonly (string | RegExp)[];
  readonly never?: readonly (string | RegExp)[];
  /** Words in the next action. */
  readonly next?: readonly RegExp[];
}

/** A run that ended, as in the API, with the observations of the other sides. */
export interface SeenRun {
  readonly runId: string;
  readonly launched: Answer;
  readonly run: Answer;
  readonly summary: Answer;
  readonly trials: readonly Answer[];
  readonly servers: Readonly<Record<string, StartedServer>>;
  /** The requests to models of this row. */
  readonly chats: readonly ChatRequest[];
  trace(trial: Answer): Promise<Answer>;
  readonly fixture: SituationFixture;
}

interface Named {
  readonly name: string;
  /** Changes state that others depend on, so nothing runs beside it. */
  readonly alone?: true;
}

export interface RunSituation extends Named {
  readonly servers?: Readonly<Record<string, ServerStart>>;
  readonly cases: readonly SituationCase[];
  readonly settings?: object;
  /** The configuration of a client to play. */
  readonly client?: object;
  readonly judge?: string;
  readonly launch?: object;
  readonly limits?: Partial<RunLimits>;
  /** The action before the launch, with the ids of its servers and its suite. */
  readonly before?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  /** Restores the state, whatever the result. */
  readonly after?: (fixture: SituationFixture) => Promise<unknown>;
  /** The action when a line says `happens`. */
  readonly happens?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  readonly expected: {
    readonly verdict: Verdict;
    /** The reasons, if it was not measured. */
    readonly reasons?: readonly string[];
    readonly trials: readonly ExpectedTrial[];
  };
  /**
   * The message of its replay, if the result cannot be the same: the suite has changed, or the run
   * was not recorded.
   */
  readonly replayed?: RegExp;
  /** Further problems, one sentence each. */
  readonly also?: (seen: SeenRun) => readonly string[] | Promise<readonly string[]>;
}

export interface Ids {
  readonly servers: Readonly<Record<string, string>>;
  readonly suiteId: string;
  readonly started: Readonly<Record<string, StartedServer>>;
}

/** Any other request to the API, with its required facts. */
export interface AskSituation extends Named {
  readonly servers?: Readonly<Record<string, ServerStart>>;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly ask: (fixture: SituationFixture, ids: Ids) => Promise<Readonly<Record<string, unknown>>>;
}

export type Situation = RunSituation | AskSituation;

export interface Theme {
  readonly theme: string;
  readonly situations: readonly Situation[];
}
