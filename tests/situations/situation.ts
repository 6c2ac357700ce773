/**
 * One row of the table of situations: what is there, what happens, and what must come of it. What is expected is written
 * from the rules of blame and measurement, never read off the service.
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
  /** Where it listens; a server of the operator's file has none. */
  readonly url?: string;
  /** Its id, where it is saved already. */
  readonly stdio?: string;
  /** What is saved beside its address. */
  readonly saved?: object;
  readonly requests?: readonly FakeRequest[];
  stop(): Promise<void>;
}
export interface SituationFixture {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly ask: ProjectCaller;
  /** The body of an answer with this status; anything else is told with what was said. */
  get(status: number, ...request: Parameters<ProjectCaller>): Promise<Answer>;
  /** The HTTP API of a process that launches runs with these limits. */
  apiOf(limits: Partial<RunLimits>): Promise<ProjectCaller>;
  /** Started when it is asked for first, and shared by all rows. */
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

/** A test of `tests[]`, with what the model says in it. `@A` and `#A` stand for the name and the id of server A. */
export interface SituationCase {
  readonly title: string;
  readonly steps: readonly object[];
  /** Line n is said when the conversation holds n answers; without lines the free model plays. */
  readonly says?: readonly Line[];
  readonly [field: string]: unknown;
}

export interface ExpectedTrial {
  /** The title of its case; not needed where there is only one. */
  readonly of?: string;
  readonly times?: number;
  readonly status: TrialStatus;
  readonly result: TaskVerdict | null;
  readonly stage?: Stage;
  readonly reason?: StageReason;
  readonly category?: FailureCategory;
  /** Reasons of rows of the chain that did not fail; several where the rules leave it open. */
  readonly rows?: Partial<Record<Stage, StageReason | readonly StageReason[]>>;
  /** Words of the error, the observed failure and the evidence of the failed stage. */
  readonly says?: readonly (string | RegExp)[];
  readonly never?: readonly (string | RegExp)[];
  /** Words of the next action. */
  readonly next?: readonly RegExp[];
}

/** A run that ended, as the API shows it, and what the other sides saw of it. */
export interface SeenRun {
  readonly runId: string;
  readonly launched: Answer;
  readonly run: Answer;
  readonly summary: Answer;
  readonly trials: readonly Answer[];
  readonly servers: Readonly<Record<string, StartedServer>>;
  /** What models of this row were asked. */
  readonly chats: readonly ChatRequest[];
  trace(trial: Answer): Promise<Answer>;
  readonly fixture: SituationFixture;
}

interface Named {
  readonly name: string;
  /** Changes what others stand on, so nothing runs beside it. */
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
  /** What happens before it is launched, with the ids of its servers and its suite. */
  readonly before?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  /** What is put right again, whatever came of it. */
  readonly after?: (fixture: SituationFixture) => Promise<unknown>;
  /** What happens when a line says `happens`. */
  readonly happens?: (fixture: SituationFixture, ids: Ids) => Promise<unknown>;
  readonly expected: {
    readonly verdict: Verdict;
    /** Why, where it was not measured. */
    readonly reasons?: readonly string[];
    readonly trials: readonly ExpectedTrial[];
  };
  /** What its replay says, where it cannot come to the same: the suite of now is another, or it was not recorded. */
  readonly replayed?: RegExp;
  /** What is wrong beyond that, a sentence each. */
  readonly also?: (seen: SeenRun) => readonly string[] | Promise<readonly string[]>;
}

export interface Ids {
  readonly servers: Readonly<Record<string, string>>;
  readonly suiteId: string;
  readonly started: Readonly<Record<string, StartedServer>>;
}

/** Anything else that is asked of the API: facts that must come of it. */
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
