/**
 * One row of the table of situations: its set-up, its events and its required results. The
 * expectations are derived from the rules of grading, and never copied from the service's output.
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
  /** The address of the server; undefined for a server of the operator's file. */
  readonly url?: string;
  /** The id of the server, if it is already saved. */
  readonly stdio?: string;
  readonly saved?: object;
  readonly requests?: readonly FakeRequest[];
  stop(): Promise<void>;
}
export interface SituationFixture {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly ask: ProjectCaller;
  /** Returns the body of an answer with this status. Any other status throws the answer's text. */
  get(status: number, ...request: Parameters<ProjectCaller>): Promise<Answer>;
  apiOf(limits: Partial<RunLimits>): Promise<ProjectCaller>;
  shared(name: string, start: () => Promise<StartedServer>): Promise<StartedServer>;
  stdioId(name: string): string;
  restartWorker(options?: { readonly egressWorks?: boolean }): Promise<void>;
  readonly scripts: Map<string, ModelScript>;
  readonly models: ModelGateway;
  stop(): Promise<void>;
}

export type ServerStart = (fixture: SituationFixture) => Promise<StartedServer>;

export type StdioServers = Readonly<Record<string, StdioAddress>>;

/**
 * A test of `tests[]` with the lines of its model. `@A` and `#A` are replaced by the name and the
 * id of server A.
 */
export interface SituationCase {
  readonly title: string;
  readonly steps: readonly object[];
  /**
   * Line n is the answer if the conversation has n answers so far. Without lines, the free model
   * answers.
   */
  readonly says?: readonly Line[];
  readonly [field: string]: unknown;
}

export interface ExpectedTrial {
  /** The title of the trial's case; optional if there is only one case. */
  readonly of?: string;
  readonly times?: number;
  readonly status: TrialStatus;
  readonly result: TaskVerdict | null;
  readonly stage?: Stage;
  readonly reason?: StageReason;
  readonly category?: FailureCategory;
  /**
   * The reasons of stages that did not fail. Several reasons mean that the rules allow each of
   * them.
   */
  readonly rows?: Partial<Record<Stage, StageReason | readonly StageReason[]>>;
  readonly says?: readonly (string | RegExp)[];
  readonly never?: readonly (string | RegExp)[];
  readonly next?: readonly RegExp[];
}

export interface SeenRun {
  readonly runId: string;
  readonly launched: Answer;
  readonly run: Answer;
  readonly summary: Answer;
  readonly trials: readonly Answer[];
  readonly servers: Readonly<Record<string, StartedServer>>;
  readonly chats: readonly ChatRequest[];
  trace(trial: Answer): Promise<Answer>;
  readonly fixture: SituationFixture;
}

interface Named {
  readonly name: string;
  /**
   * True if the row changes state that other rows depend on, so no other row may run at the same
   * time.
   */
  readonly alone?: true;
}

export interface RunSituation extends Named {
  readonly servers?: Readonly<Record<string, ServerStart>>;
  readonly cases: readonly SituationCase[];
  readonly settings?: object;
  readonly client?: object;
  readonly judge?: string;
  readonly launch?: object;
  readonly limits?: Partial<RunLimits>;
  /** Runs before the launch. `ids` are those of the row's servers and suite. */
  readonly before?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  readonly after?: (fixture: SituationFixture) => Promise<unknown>;
  readonly happens?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  readonly expected: {
    readonly verdict: Verdict;
    readonly reasons?: readonly string[];
    readonly trials: readonly ExpectedTrial[];
  };
  /**
   * The message of the replay, if its result cannot be the same: the suite has changed, or the run
   * was not recorded.
   */
  readonly replayed?: RegExp;
  readonly also?: (seen: SeenRun) => readonly string[] | Promise<readonly string[]>;
}

export interface Ids {
  readonly servers: Readonly<Record<string, string>>;
  readonly suiteId: string;
  readonly started: Readonly<Record<string, StartedServer>>;
}

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
