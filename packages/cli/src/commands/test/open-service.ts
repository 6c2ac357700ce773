/**
 * Selects the service for a test: the named one, else the running service of this folder, else a
 * new one in this process that ends with the test. The light command has no server code and uses
 * the service of the last login instead of a new one.
 */
import { existsSync } from 'node:fs';
import type { ApiClient } from '@proofmark/client';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import type {
  ExcludedTool,
  Json,
  Recording,
  SampleAnswer,
  SampleCall,
  ServerToTest,
  TrialToMatch,
} from '@proofmark/domain';
import type { Command } from 'commander';
import {
  type Connection,
  type ConnectionFlags,
  connectToService,
} from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { findFolderService } from '../../remote/folder-service.ts';
import { readLogins } from '../../remote/logins.ts';
import type { TrustFlags } from '../../trust/require-trust.ts';

export type ProgramToTest = Extract<ServerToTest, { kind: 'stdio' }>;

/** A recorded trial of a suite file. `caseId` is the case's id in that file. */
export interface RecordedTrialOfFile extends TrialToMatch {
  /**
   * Absent if the recording cannot be replayed. The trial still counts as one repetition of its
   * case.
   */
  readonly recording?: Recording;
}

export interface KeptRecordings {
  readonly runId: string;
  readonly trials: number;
  /** Names of recording files that the suite needs but that do not exist. */
  readonly missing: readonly string[];
}

export type TestClient = Pick<
  ApiClient,
  | 'cancelEvalRun'
  | 'createEvalRun'
  | 'createProjectServer'
  | 'getEvalIterationRecording'
  | 'getEvalIterationTools'
  | 'getEvalRun'
  | 'getEvalRunSurface'
  | 'importEvalSuite'
  | 'listEvalQuarantine'
  | 'listEvalRunIterations'
  | 'listProjectServers'
  | 'updateProjectServer'
>;

export interface TestConnection {
  readonly client: TestClient;
  readonly projectId: string;
}

export interface TestingService {
  readonly connection: TestConnection;
  /** The console address of the run; absent if the run is not stored. */
  readonly consoleUrl?: string;
  /**
   * Whether the service ends with the test. To look at the run, the user must then start the
   * service again.
   */
  readonly isOver: boolean;
  stop(): Promise<void>;
}

export interface LiveService extends TestingService {
  saveProgram(server: ProgramToTest): Promise<string>;
}

export interface OpenedService extends LiveService {
  readonly connection: Connection;
}

export interface ReplayService extends TestingService {
  /**
   * Returns an id for a server of this name. Replays answer from recordings, so no server is
   * called.
   */
  nameServer(name: string): Promise<string>;
  /** Stores recordings as a run of the suite. That run can then be replayed. */
  keepRecorded(
    suiteId: string,
    trials: readonly RecordedTrialOfFile[],
    repetitions: number | undefined,
  ): Promise<KeptRecordings>;
  /** Tells what it takes to see a drop in an imported suite. */
  forecast(suiteId: string, body: BodyInputOf<'planEvalSuite'>): Promise<PlanOfSuite>;
}

export interface ServiceFlags extends ConnectionFlags, TrustFlags {
  readonly ephemeral?: true;
  readonly keep?: true;
  /**
   * The settings file of a service in this process. It replaces the settings files of this folder
   * and of the user.
   */
  readonly settings?: string;
}

/** Decides which files and data of the working folder a service in this process may use. */
export interface StartOptions extends ServiceFlags {
  /**
   * Whether the server was typed on the command line. If so, no program named in a file of this
   * folder is started.
   */
  readonly isTyped?: boolean;
  readonly widgets?: boolean;
}

export interface TestStart extends StartOptions {
  readonly watch?: true;
  /** Suite ids as written in the suite files. */
  readonly suites: readonly string[];
}

export function withSettingsFlag(command: Command): Command {
  return command.option(
    '--settings <file>',
    'settings of the service in this process (default: PROOFMARK_CONFIG, or yours and the trusted ones here)',
  );
}

export interface ListedServer {
  readonly serverInfo: Json | null;
  readonly tools: readonly Json[];
  /** The tools that the server listed, but that clients must hide. */
  readonly excludedTools?: readonly ExcludedTool[] | undefined;
}

export interface ServerLister {
  list(server: ServerToTest): Promise<ListedServer>;
  /** Makes the calls one after another. Each call times out after a few seconds. */
  call(server: ServerToTest, calls: readonly SampleCall[]): Promise<readonly SampleAnswer[]>;
  stop(): Promise<void>;
}

type ConformanceToPlay = import('@proofmark/server').ConformanceToPlay;
type PlayedConformance = import('@proofmark/server').PlayedConformance;
type NotPlayed = import('@proofmark/server').NotPlayed;
type Mutation = OutputOf<'getEvalSuiteMutation'>;
type PlanOfSuite = OutputOf<'planEvalSuite'>;

export interface MutatingService extends LiveService {
  mutate(
    suiteId: string,
    body: BodyInputOf<'createEvalSuiteMutation'>,
    course: {
      readonly signal: AbortSignal;
      /** Called with the maximum cost of the mutation before any trial starts. */
      readonly onEstimate: (estimate: Mutation['estimate']) => void;
      readonly onState: (state: Mutation) => void;
    },
  ): Promise<Mutation>;
}

/**
 * Functions that need the server's code. The light command, the download without that code, does
 * not have them.
 */
export interface OwnService {
  openLister(options: StartOptions): Promise<ServerLister>;
  start(options: StartOptions): Promise<OpenedService>;
  /**
   * Tests in memory, without a database, unless the runs must be stored. If they must, starts a
   * service like `start`.
   */
  test(options: TestStart): Promise<LiveService>;
  /** Rejects settings that need a database. */
  mutate(options: StartOptions): Promise<MutatingService>;
  /** Uses no settings from files or the environment. */
  replay(showsWidgets: boolean): Promise<ReplayService>;
  /**
   * Saves a server program for the running service of this folder by writing directly to the
   * service's database.
   */
  saveProgram(dataDir: string, connection: Connection, server: ProgramToTest): Promise<string>;
  /** Plays the conformance suite against the server of an address. Nothing is stored. */
  playConformance(wanted: ConformanceToPlay): Promise<readonly PlayedConformance[] | NotPlayed>;
  stopAtOnce(): Promise<void>;
}

export function openService(
  flags: StartOptions,
  own: OwnService | undefined,
): Promise<OpenedService> {
  return namedService(flags, own, async (from) => from.start(flags));
}

/** Rejects contradictory flags before the user is asked any question. */
export function refuseKeepingNothing({ keep, ephemeral }: ServiceFlags): void {
  if (keep && ephemeral) throw new UsageProblem('Give only one of --keep and --ephemeral.');
}

/**
 * Runs a command on the service that a flag or the environment names, that runs in this folder, or
 * of the last login. Without any, the data of this folder is opened for the time of the command.
 */
export async function withServiceOrData<Answer>(
  flags: ServiceFlags,
  own: OwnService | undefined,
  work: (connection: Connection) => Promise<Answer>,
): Promise<Answer> {
  if (own === undefined || !hasOnlyData(flags)) return work(await connectToService(flags));
  const opened = await own.start({ ...flags, keep: true });
  try {
    return await work(opened.connection);
  } finally {
    await opened.stop();
  }
}

function hasOnlyData({ url }: ServiceFlags): boolean {
  const { PROOFMARK_URL, PROOFMARK_API_KEY, PROOFMARK_DATA_DIR } = process.env;
  if (url !== undefined || PROOFMARK_URL || PROOFMARK_API_KEY?.trim()) return false;
  if (findFolderService(process.cwd(), process.env) !== undefined) return false;
  if (readLogins(process.env).last !== undefined) return false;
  return existsSync(PROOFMARK_DATA_DIR || '.proofmark');
}

export function openToTest(flags: TestStart, own: OwnService | undefined): Promise<LiveService> {
  return namedService<LiveService>(flags, own, (from) => from.test(flags));
}

/**
 * Returns the service that a flag or the environment names, or else the service running in this
 * folder. If neither exists, calls `start`.
 */
async function namedService<Started>(
  flags: StartOptions,
  own: OwnService | undefined,
  start: (own: OwnService) => Promise<Started>,
): Promise<Started | OpenedService> {
  const isNamed = flags.url !== undefined || Boolean(process.env['PROOFMARK_URL']);
  if (isNamed && flags.ephemeral) {
    throw new UsageProblem(
      '--ephemeral works only without --url and PROOFMARK_URL; remove one of them.',
    );
  }
  const ofFolder = flags.ephemeral ? undefined : findFolderService(process.cwd(), process.env);
  if (!isNamed && ofFolder === undefined) {
    if (own !== undefined) return start(own);
    if (readLogins(process.env).last === undefined) throw new UsageProblem(noServiceForLight);
  }
  const connection = await connectToService(flags);
  const dataDir = ofFolder?.url === connection.url ? ofFolder.dataDir : undefined;
  return {
    connection,
    consoleUrl: connection.url,
    isOver: false,
    stop: async () => undefined,
    async saveProgram(server) {
      if (own === undefined) throw new UsageProblem(noProgramForLight);
      if (dataDir === undefined) {
        throw new UsageProblem(
          `The service at ${connection.url}${ofVariable(flags)} cannot start commands; give the address of a server that it can reach with --server.`,
        );
      }
      return own.saveProgram(dataDir, connection, server);
    },
  };
}

function ofVariable({ url }: StartOptions): string {
  if (url !== undefined || !process.env['PROOFMARK_URL']) return '';
  return ' (of PROOFMARK_URL; without that variable, the command tests with its own service)';
}

export function refuseProgram(
  { serverCommand }: { readonly serverCommand?: string },
  own: OwnService | undefined,
): void {
  if (serverCommand !== undefined && own === undefined) throw new UsageProblem(noProgramForLight);
}

const wholePackage =
  'install the whole proofmark package, made by `npm run pack` in its repository';

export const noPlanForLight = `This installation is the light command, which cannot read suite files: name a suite of a service, or a file that \`test --json FILE\` wrote, or ${wholePackage}.`;

export const noLintForLight = `This installation is the light command, which cannot list tools without a service: import the file with \`suite import\` and name the suite, or ${wholePackage}.`;

export const noMutationForLight = `This installation is the light command, which cannot run suites without a service: import the file with \`suite import\` and name the suite, or ${wholePackage}.`;

const noServiceForLight = `This installation is the light command, which needs a service: name one with --url or PROOFMARK_URL, log in with \`login URL\`, or ${wholePackage}, which brings its own service.`;

const noProgramForLight = `This installation is the light command, which cannot start programs: give the address of a running server with --server, or ${wholePackage}.`;
