/**
 * Starts a service in this process if no other is named, with a database or in memory. With a
 * database, the data is stored in `.proofmark`, so that `proofmark serve` shows the run afterwards.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, createApiClient } from '@proofmark/client';
import { errorStatus } from '@proofmark/contract';
import { printNotice } from '../../output.ts';
import { chooseProject } from '../../remote/choose-project.ts';
import type { Connection } from '../../remote/connection.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { readServiceFile } from '../../remote/folder-service.ts';
import { webFolders } from '../../web-folders.ts';
import type {
  LiveService,
  MutatingService,
  OpenedService,
  OwnService,
  ProgramToTest,
  ReplayService,
  StartOptions,
  TestClient,
  TestStart,
} from './open-service.ts';
import { settingsForTest } from './settings-for-test.ts';
import { whyDatabase } from './why-database.ts';

type Settings = import('@proofmark/server').Settings;

export const ownService: OwnService = {
  async openLister(options) {
    const { settings } = await settingsForTest({ ...options, ephemeral: true });
    const { loadListing } = await import('@proofmark/server');
    const openListing = await loadListing();
    const listing = await withSentence(() => openListing({ ...settings, ...forThisProcess }));
    return {
      list: (server) => withSentence(() => listing.list(server)),
      call: (server, calls) => withSentence(() => listing.call(server, calls)),
      stop: () => listing.close(),
    };
  },
  start: async (options) => startHere(options, (await settingsForTest(options)).settings),
  test: testHere,
  mutate: mutateHere,
  replay: replayHere,
  async saveProgram(dataDir, connection, server) {
    // A folder's service always uses the embedded database of its data directory, so no settings
    // files are read.
    const { resolveSettings } = await import('@proofmark/server');
    const { settings } = resolveSettings({ dataDir }, process.env, []);
    return saveProgram({ ...settings, databaseUrl: undefined }, connection, server);
  },
  async playConformance(wanted) {
    // The server is typed, so no settings file of this folder is needed.
    const { settings } = await settingsForTest({ ephemeral: true, isTyped: true });
    const { loadConformance } = await import('@proofmark/server');
    const { playConformance } = await loadConformance();
    return withSentence(() => playConformance({ ...settings, ...forThisProcess }, wanted));
  },
  async stopAtOnce() {
    const { stopEmbeddedDatabases } = await import('@proofmark/server');
    await stopEmbeddedDatabases();
  },
};

async function testHere(options: TestStart): Promise<LiveService> {
  const { settings: resolved, namesData } = await settingsForTest(options);
  const { loadTesting } = await import('@proofmark/server');
  const { whySettingsNeedDatabase } = await loadTesting();
  const why = whyDatabase({
    flags: options,
    namesData,
    hasData: existsSync(resolved.dataDir),
    suites: options.suites,
    ofSettings: whySettingsNeedDatabase(resolved),
  });
  return why === undefined ? testInMemory(resolved) : startHere(options, resolved);
}

async function mutateHere(options: StartOptions): Promise<MutatingService> {
  const { settings } = await settingsForTest({ ...options, ephemeral: true });
  const { loadTesting } = await import('@proofmark/server');
  const { whySettingsNeedDatabase } = await loadTesting();
  const why = whySettingsNeedDatabase(settings);
  if (why === undefined) return testInMemory(settings);
  throw new UsageProblem(
    `${why} A mutation without a service cannot do that: import the file with \`suite import\`, and name the suite.`,
  );
}

async function testInMemory(resolved: Settings): Promise<MutatingService> {
  const server = await import('@proofmark/server/in-memory');
  const { loadTesting } = await import('@proofmark/server');
  const { openTesting } = await loadTesting();
  const opened = await withSentence(() => openTesting({ ...resolved, ...forThisProcess }));
  const { project, stop } = opened;
  return {
    connection: { client: inMemoryClient(server, project), projectId: project.id },
    isOver: true,
    stop,
    saveProgram: (program) => withSentence(async () => opened.saveProgram(startOf(program))),
    mutate: (suiteId, body, course) =>
      answerOrRefuse(server, () => {
        const checked = server.checkedBody('createEvalSuiteMutation', spelled(body));
        return opened.mutate(suiteId, checked, course);
      }),
  };
}

async function startHere(options: StartOptions, resolved: Settings): Promise<OpenedService> {
  const server = await import('@proofmark/server');
  const temporary = options.ephemeral
    ? mkdtempSync(path.join(tmpdir(), 'proofmark-test-'))
    : undefined;
  // If root starts the service, PostgreSQL runs as another user. That user must be able to enter
  // this folder.
  if (temporary !== undefined) chmodSync(temporary, 0o711);
  const settings: Settings = {
    ...resolved,
    ...forThisProcess,
    dataDir: temporary ?? resolved.dataDir,
  };
  const removeTemporary = () => {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  };
  try {
    if (!existsSync(settings.dataDir)) printNotice('making a database for this folder …');
    const serve = await server.loadServe();
    const service = await serve(settings, {
      log: server.createLog('silent'),
      notify: printNotice,
      ...webFolders(),
    }).catch((error: unknown) => {
      throw new Error(server.failureSentence(error), { cause: error });
    });
    const stop = async () => {
      await service.stop();
      removeTemporary();
    };
    try {
      keepOutOfGit(settings.dataDir);
      const connection = await connectHere(settings.dataDir, options.project);
      return {
        connection,
        isOver: true,
        stop,
        // The console address of a later `proofmark serve`. With port 0 it is unknown.
        ...(temporary === undefined &&
          resolved.port !== 0 && {
            consoleUrl: server.addressUrl({ address: resolved.host, port: resolved.port }),
          }),
        saveProgram: (program) => saveProgram(settings, connection, program),
      };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    removeTemporary();
    throw error;
  }
}

/**
 * Overrides settings meant for shared services. This service serves only the local user and uses
 * its own database.
 */
const forThisProcess = {
  host: '127.0.0.1',
  port: 0,
  dangerouslyBindAll: false,
  worker: true,
  sample: false,
  publicUrl: undefined,
  hostNames: [],
  trustedProxies: [],
  databaseUrl: undefined,
  serviceDatabaseUrl: undefined,
  metricsToken: undefined,
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  smtpUrl: undefined,
  mailFrom: undefined,
  rateLimit: 'off',
} as const;

/**
 * Deletes the service file immediately after reading it. Otherwise another command could find this
 * service, which ends with the test.
 */
async function connectHere(dataDir: string, project: string | undefined): Promise<Connection> {
  const found = readServiceFile(dataDir, undefined);
  if (found === undefined)
    throw new Error('The service of this test did not report its address; run the test again.');
  rmSync(path.join(dataDir, 'service.json'), { force: true });
  const client = createApiClient({ baseUrl: found.url, apiKey: found.key });
  return { client, url: found.url, projectId: await chooseProject(client, project) };
}

/**
 * Adds a .gitignore to the data directory, so that a database inside a repository is not committed.
 */
function keepOutOfGit(dataDir: string): void {
  try {
    // With the flag `wx`, the write fails if the path exists, even as a symbolic link. So nothing
    // is written through a link.
    writeFileSync(path.join(dataDir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The file exists already, so the user's version is kept.
  }
}

async function saveProgram(
  settings: Settings,
  connection: Connection,
  program: ProgramToTest,
): Promise<string> {
  const { saveFolderServer } = await import('@proofmark/server');
  const wanted = { ...projectOf(connection), server: startOf(program) };
  return withSentence(() => saveFolderServer(settings, wanted, printNotice));
}

function startOf({ name, command, args, env, cwd = '/' }: ProgramToTest) {
  return { name, command, args: [...args], env: { ...env }, cwd };
}

function projectOf({ projectId }: Connection) {
  return { projectId: projectId === 'default' ? undefined : projectId };
}

async function withSentence<Result>(work: () => Promise<Result>): Promise<Result> {
  const { failureSentence } = await import('@proofmark/server');
  return work().catch((error: unknown) => {
    throw new Error(failureSentence(error), { cause: error });
  });
}

/**
 * Opens the in-memory service of `--replay`. It grades recordings by the same rules as a real
 * service and stores nothing.
 */
async function replayHere(showsWidgets: boolean): Promise<ReplayService> {
  const server = await import('@proofmark/server/in-memory');
  const { project, stop } = server.openReplay({ showsWidgets });
  return {
    connection: { client: inMemoryClient(server, project), projectId: project.id },
    isOver: true,
    nameServer: async (name) => project.servers.name(name),
    keepRecorded: (suiteId, trials, repetitions) =>
      answerOrRefuse(server, () => project.keepRecorded(suiteId, trials, repetitions)),
    forecast: (suiteId, body) =>
      answerOrRefuse(server, () =>
        project.forecast(suiteId, server.checkedBody('planEvalSuite', spelled(body))),
      ),
    stop,
  };
}

type Server = Pick<typeof import('@proofmark/server/in-memory'), 'checkedBody' | 'refusalIn'>;

type Project = import('@proofmark/server/in-memory').InMemoryProject;

async function answerOrRefuse<Answer>(
  { refusalIn }: Pick<Server, 'refusalIn'>,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    throw new ApiError(errorStatus[refusal.code], refusal, undefined);
  }
}

function inMemoryClient(server: Server, project: Project): TestClient {
  const answer = <Answer>(ask: () => Answer | Promise<Answer>) => answerOrRefuse(server, ask);
  const { checkedBody } = server;
  return {
    importEvalSuite: ({ body }) =>
      answer(() => project.importSuite(checkedBody('importEvalSuite', spelled(body)))),
    createEvalRun: ({ body }) =>
      answer(() => project.launch(checkedBody('createEvalRun', spelled(body)))),
    listEvalQuarantine: ({ suiteId }) => answer(() => project.listQuarantine(suiteId)),
    getEvalRun: ({ runId }) => answer(() => project.readRun(runId)),
    listEvalRunIterations: ({ projectId: _, runId, limit, cursor, before: _before, ...filter }) =>
      answer(() =>
        project.readTrials(runId, filter, {
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { cursor }),
        }),
      ),
    getEvalIterationRecording: ({ runId, iterationId }) =>
      answer(() => project.readRecording(runId, iterationId)),
    getEvalIterationTools: ({ runId, iterationId }) =>
      answer(() => project.readTools(runId, iterationId)),
    getEvalRunSurface: () => answer(() => project.refuseSurface()),
    cancelEvalRun: ({ runId }) => answer(() => project.cancelRun(runId)),
    listProjectServers: () => answer(() => ({ items: project.servers.list() })),
    createProjectServer: ({ body }) =>
      answer(() => project.servers.create(checkedBody('createProjectServer', spelled(body)))),
    updateProjectServer: ({ serverId, body }) =>
      answer(() =>
        project.servers.update(serverId, checkedBody('updateProjectServer', spelled(body))),
      ),
  };
}

/** Omits undefined fields from the body, as JSON transport would. */
function spelled(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}
