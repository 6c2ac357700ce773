/**
 * The service a test runs on: the one that is named, else the one of this folder, else one in this process for the time
 * of the test, where this is the command with the server in it. The light command asks that of the last login instead.
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

/** `caseId` is the id that the file of the suite gives the case. */
export interface RecordedTrialOfFile extends TrialToMatch {
  /** Left out where it cannot be played: it is counted all the same. */
  readonly recording?: Recording;
}

export interface KeptRecordings {
  readonly runId: string;
  readonly trials: number;
  /** Files that the suite asks for and that are not there. */
  readonly missing: readonly string[];
}

/** What the test of a suite asks of a service. */
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

/** Where a suite is tested, whatever its runs are played from. */
export interface TestingService {
  readonly connection: TestConnection;
  /** Where the console shows a run; nothing where nothing is kept. */
  readonly consoleUrl?: string;
  /** Whether the service has to be started before anybody looks. */
  readonly isOver: boolean;
  stop(): Promise<void>;
}

/** Where the servers of a test are saved, and runs against them are played. */
export interface LiveService extends TestingService {
  /** Saves a program of this machine and answers its id. */
  saveProgram(server: ProgramToTest): Promise<string>;
}

export interface OpenedService extends LiveService {
  readonly connection: Connection;
}

export interface ReplayService extends TestingService {
  /** Answers the id that a server of this name has; nobody ever asks it. */
  nameServer(name: string): Promise<string>;
  /** Makes of recordings a run of the suite that can be replayed. */
  keepRecorded(
    suiteId: string,
    trials: readonly RecordedTrialOfFile[],
    repetitions: number | undefined,
  ): Promise<KeptRecordings>;
}

export interface ServiceFlags extends ConnectionFlags, TrustFlags {
  readonly ephemeral?: true;
  readonly keep?: true;
  /** The file with settings for a service in this process, in place of those of this folder and of the user. */
  readonly settings?: string;
}

/** What a service in this process may take of the folder that it is started in. */
export interface StartWish extends ServiceFlags {
  /** A server was typed, so no program is started that a file of this folder names. */
  readonly isTyped?: boolean;
  /** Whether widgets may be shown in a browser (default: yes). */
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

/** What takes the code of the server, which the light command has not. */
export interface OwnService {
  start(wish: StartWish): Promise<OpenedService>;
  /** The same, or this process alone where nothing is to be kept. */
  test(wish: TestStart): Promise<LiveService>;
  /** No setting is read, of a file or of the environment. */
  replay(showsWidgets: boolean): Promise<ReplayService>;
  /** For a service of this folder, on its data. */
  saveProgram(dataDir: string, connection: Connection, server: ProgramToTest): Promise<string>;
  /** Ends whatever database this process started. */
  stopAtOnce(): Promise<void>;
}

export function openService(flags: StartWish, own: OwnService | undefined): Promise<OpenedService> {
  return namedService(flags, own, async (from) => from.start(flags));
}

/** Told before anything is asked. */
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

/** Told before anything is asked. */
export function refuseProgram(
  { serverCommand }: { readonly serverCommand?: string },
  own: OwnService | undefined,
): void {
  if (serverCommand !== undefined && own === undefined) throw new UsageProblem(noProgramForLight);
}

const wholePackage =
  'install the whole proofmark package, made by `npm run pack` in its repository';

const noServiceForLight = `This is the light command: name a service with --url or PROOFMARK_URL, or log in with \`login URL\`; or ${wholePackage}, which brings its own service.`;

const noProgramForLight = `This is the light command, which starts no programs: give the address of a running server with --server; or ${wholePackage}.`;
