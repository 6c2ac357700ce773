/**
 * The service of a test: the one that is named, or else the one of this folder, or else one in this
 * process during the test, if the command includes the server. The light command uses the service
 * of the last login instead.
 */
import type { ApiClient } from '@proofmark/client';
import type { Recording, ServerToTest, TrialToMatch } from '@proofmark/domain';
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

/** `caseId` is the id of the case in the suite file. */
export interface RecordedTrialOfFile extends TrialToMatch {
  /** Absent if the recording cannot be played; the trial is counted nevertheless. */
  readonly recording?: Recording;
}

export interface KeptRecordings {
  readonly runId: string;
  readonly trials: number;
  /** The missing files that the suite needs. */
  readonly missing: readonly string[];
}

/** The client methods that the test of a suite uses. */
export type TestClient = Pick<
  ApiClient,
  | 'cancelEvalRun'
  | 'createEvalRun'
  | 'createProjectServer'
  | 'getEvalIterationRecording'
  | 'getEvalRun'
  | 'getEvalRunSurface'
  | 'importEvalSuite'
  | 'listEvalRunIterations'
  | 'listProjectServers'
  | 'updateProjectServer'
>;

export interface TestConnection {
  readonly client: TestClient;
  readonly projectId: string;
}

/** The service of a test, whether its runs are live or replays. */
export interface TestingService {
  readonly connection: TestConnection;
  /** The address of the console that shows a run; absent if nothing is stored. */
  readonly consoleUrl?: string;
  /** Whether the service ends with the test and must be started again to see the run. */
  readonly isOver: boolean;
  stop(): Promise<void>;
}

/** Where the servers of a test are saved, and runs against them are played. */
export interface LiveService extends TestingService {
  /** Saves a program of this machine and returns its id. */
  saveProgram(server: ProgramToTest): Promise<string>;
}

export interface OpenedService extends LiveService {
  readonly connection: Connection;
}

export interface ReplayService extends TestingService {
  /** Returns the id of a server of this name, which is never called. */
  nameServer(name: string): Promise<string>;
  /** Creates a run of the suite from recordings, which can then be replayed. */
  keepRecorded(
    suiteId: string,
    trials: readonly RecordedTrialOfFile[],
    repetitions: number | undefined,
  ): Promise<KeptRecordings>;
}

export interface ServiceFlags extends ConnectionFlags, TrustFlags {
  readonly ephemeral?: true;
  readonly keep?: true;
  /**
   * The settings file of a service in this process, which replaces those of this folder and of the
   * user.
   */
  readonly settings?: string;
}

/** The flags that decide which parts of its folder a service in this process may use. */
export interface StartWish extends ServiceFlags {
  /** Whether a server was typed, in which case no program from a file of this folder is started. */
  readonly isTyped?: boolean;
  /** Whether a browser may render widgets (default: yes). */
  readonly widgets?: boolean;
}

export interface TestStart extends StartWish {
  readonly watch?: true;
  /** The ids of the suites, in their files. */
  readonly suites: readonly string[];
}

export function withSettingsFlag(command: Command): Command {
  return command.option(
    '--settings <file>',
    'settings of the service in this process (default: PROOFMARK_CONFIG, or yours and the trusted ones here)',
  );
}

/** The functions that need the server's code, which the light command lacks. */
export interface OwnService {
  start(wish: StartWish): Promise<OpenedService>;
  /** The same, or this process alone where nothing is to be kept. */
  test(wish: TestStart): Promise<LiveService>;
  /** Starts a service without settings from files or the environment. */
  replay(showsWidgets: boolean): Promise<ReplayService>;
  /** Saves a program for the running service of this folder, directly in its data. */
  saveProgram(dataDir: string, connection: Connection, server: ProgramToTest): Promise<string>;
  /** Stops every database that this process started. */
  stopAtOnce(): Promise<void>;
}

export function openService(flags: StartWish, own: OwnService | undefined): Promise<OpenedService> {
  return namedService(flags, own, async (from) => from.start(flags));
}

/** Throws before any question is asked. */
export function refuseKeepingNothing({ keep, ephemeral }: ServiceFlags): void {
  if (keep && ephemeral) throw new UsageProblem('Give only one of --keep and --ephemeral.');
}

export function openToTest(flags: TestStart, own: OwnService | undefined): Promise<LiveService> {
  return namedService<LiveService>(flags, own, (from) => from.test(flags));
}

/** Where none is named and none runs here, it is what `start` starts. */
async function namedService<Started>(
  flags: StartWish,
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
          `The service at ${connection.url} cannot start commands; give the address of a server that it can reach with --server.`,
        );
      }
      return own.saveProgram(dataDir, connection, server);
    },
  };
}

/** Throws before any question is asked. */
export function refuseProgram(
  { serverCommand }: { readonly serverCommand?: string },
  own: OwnService | undefined,
): void {
  if (serverCommand !== undefined && own === undefined) throw new UsageProblem(noProgramForLight);
}

const wholePackage =
  'install the whole proofmark package, made by `npm run pack` in its repository';

const noServiceForLight = `This is the light command, which needs a service: name a service with --url or PROOFMARK_URL, log in with \`login URL\`, or ${wholePackage}, which brings its own service.`;

const noProgramForLight = `This is the light command, which starts no programs: give the address of a running server with --server, or ${wholePackage}.`;
