/**
 * A separate folder in which a test runs commands. After the test, every process that the commands
 * started, including the embedded database, is stopped and the folder is removed.
 */
import { existsSync, realpathSync } from 'node:fs';
import {
  clusterOf,
  readConnectionRecord,
} from '../../../server/src/platform/embedded/connection-file.ts';
import { findLeftOver } from '../../../server/src/platform/embedded/find-left-over.ts';
import { stopPostmaster } from '../../../server/src/platform/embedded/postmaster.ts';
import { readPostmasterFile } from '../../../server/src/platform/embedded/postmaster-file.ts';
import { postgresProcessesOn } from '../../../server/src/platform/embedded/process-facts.ts';
import { memoryFolder } from '../memory-folder.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type Finished, runHere } from './run-here.ts';
import { type ServiceHere, serveHere } from './serve-here.ts';
import {
  type ProofmarkProcess,
  type StartedProofmark,
  spawnProofmark,
  startProofmark,
} from './start-proofmark.ts';

export type Environment = Readonly<Record<string, string>>;

export interface TestWorkspace {
  readonly folder: string;
  readonly dataDir: string;
  /**
   * Starts a service on the data directory and a free port (default: without the sample run). Later
   * parameters override earlier ones.
   */
  serve(parameters?: readonly string[], environment?: Environment): Promise<StartedProofmark>;
  /** Like `serve`, but in this process. For tests that need no separate process. */
  serveHere(parameters?: readonly string[], environment?: Environment): Promise<ServiceHere>;
  spawn(parameters: readonly string[], environment?: Environment): ProofmarkProcess;
  run(parameters: readonly string[], environment?: Environment): Promise<Finished>;
  /** Like `run`, but in this process. For tests that need no separate process. */
  runHere(parameters: readonly string[], environment?: Environment): Promise<Finished>;
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own answer.
  admin(...parameters: string[]): Promise<any>;
  databaseProcesses(): number[];
  killDatabase(): void;
  remove(): Promise<void>;
}

/**
 * `given` returns environment variables for services and operator commands that run in this
 * process, in addition to those of a test.
 */
export function createTestWorkspace(
  parent = memoryFolder(),
  given: () => Promise<Environment> = async () => ({}),
): TestWorkspace {
  const directory = temporaryDirectory(0o755, parent);
  const folder = directory.path;
  const dataDir = `${folder}/data`;
  const ends: (() => Promise<unknown>)[] = [];

  const spawn: TestWorkspace['spawn'] = (parameters, environment = {}) => {
    const child = spawnProofmark({ folder, parameters, environment });
    ends.push(() => child.kill());
    return child;
  };
  const run: TestWorkspace['run'] = async (parameters, environment) => {
    const child = spawn(parameters, environment);
    const ended = await child.ended;
    return { ...ended, stdout: child.stdout(), stderr: child.stderr() };
  };
  const serving = (parameters: readonly string[], environment: Environment) => ({
    folder,
    parameters: ['--port', '0', '--data-dir', dataDir, ...parameters],
    environment: { PROOFMARK_SAMPLE: 'off', ...environment },
  });
  return {
    folder,
    dataDir,
    spawn,
    run,
    async serve(parameters = [], environment = {}) {
      const command = serving(parameters, environment);
      const all = ['serve', '--json', ...command.parameters];
      const service = await startProofmark({ ...command, parameters: all });
      ends.push(() => service.kill());
      return service;
    },
    async serveHere(parameters = [], environment = {}) {
      const starting = given().then((more) =>
        serveHere(serving(parameters, { ...more, ...environment })),
      );
      // The service is stopped at the end even if the test no longer waits for its start. A service
      // that did not start needs no stop.
      const started = starting.catch(() => undefined);
      ends.push(async () => (await started)?.stop());
      return starting;
    },
    runHere: (parameters, environment = {}) => runHere({ folder, parameters, environment }),
    async admin(...parameters) {
      const all = ['admin', ...parameters, '--json', '--data-dir', dataDir];
      const environment = await given();
      const { code, stdout, stderr } = await runHere({ folder, parameters: all, environment });
      // The health command may exit with an error code and still print its answer.
      if (code !== 0 && stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    },
    databaseProcesses: () => {
      const cluster = clusterIn(dataDir);
      return cluster === undefined ? [] : postgresProcessesOn(cluster);
    },
    killDatabase() {
      const file = readPostmasterFile(clusterIn(dataDir) ?? '');
      if (file === undefined) throw new Error('There is no database to kill.');
      process.kill(file.pid, 'SIGKILL');
    },
    async remove() {
      const ended = await Promise.allSettled(ends.map((end) => end()));
      const cluster = clusterIn(dataDir);
      const leftOver = cluster === undefined ? undefined : await findLeftOver(cluster);
      if (leftOver !== undefined) await stopPostmaster(leftOver);
      directory.remove();
      const failure = ended.find((one) => one.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    },
  };
}

function clusterIn(dataDir: string): string | undefined {
  const record = readConnectionRecord(dataDir);
  const cluster = record && clusterOf(dataDir, record);
  return cluster !== undefined && existsSync(cluster) ? realpathSync(cluster) : undefined;
}
