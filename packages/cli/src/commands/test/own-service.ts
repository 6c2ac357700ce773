/**
 * A service in this process for the time of a test. It keeps its data in `.proofmark`, so that `proofmark serve` shows the
 * run afterwards.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApiClient } from '@proofmark/client';
import { printNotice } from '../../output.ts';
import { chooseProject } from '../../remote/choose-project.ts';
import type { Connection } from '../../remote/connection.ts';
import { readServiceFile } from '../../remote/folder-service.ts';
import { webFolders } from '../../web-folders.ts';
import type { OpenedService, OwnService, ProgramToTest, StartWish } from './open-service.ts';
import { replayHere } from './replay-service.ts';
import { settingsForTest } from './settings-for-test.ts';

type Settings = import('@proofmark/server').Settings;

export const ownService: OwnService = {
  start: startHere,
  replay: replayHere,
  async saveProgram(dataDir, connection, server) {
    // The service of a folder has the embedded database of its data directory, whatever files here say.
    const { resolveSettings } = await import('@proofmark/server');
    const { settings } = resolveSettings({ dataDir }, process.env, []);
    return saveProgram({ ...settings, databaseUrl: undefined }, connection, server);
  },
  async stopAtOnce() {
    const { stopEmbeddedDatabases } = await import('@proofmark/server');
    await stopEmbeddedDatabases();
  },
};

async function startHere(wish: StartWish): Promise<OpenedService> {
  const server = await import('@proofmark/server');
  const resolved = await settingsForTest(wish);
  const temporary = wish.ephemeral
    ? mkdtempSync(path.join(tmpdir(), 'proofmark-test-'))
    : undefined;
  // Started as root, the database runs as another user, who has to pass through to its own folder.
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
      say: printNotice,
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
      const connection = await connectHere(settings.dataDir, wish.project);
      return {
        connection,
        isOver: true,
        stop,
        ...(temporary === undefined && { consoleUrl: `http://${resolved.host}:${resolved.port}` }),
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

/** Whatever is configured for a service of others: this one is for who sits here, on its own database. */
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

/** Its file is gone at once: another command would find a service that ends with this test. */
async function connectHere(dataDir: string, project: string | undefined): Promise<Connection> {
  const found = readServiceFile(dataDir, undefined);
  if (found === undefined)
    throw new Error('The service of this test did not report its address; run the test again.');
  rmSync(path.join(dataDir, 'service.json'), { force: true });
  const client = createApiClient({ baseUrl: found.url, apiKey: found.key });
  return { client, url: found.url, projectId: await chooseProject(client, project) };
}

/** A database in somebody's repository is not to be committed with it. */
function keepOutOfGit(dataDir: string): void {
  try {
    // Never through a link.
    writeFileSync(path.join(dataDir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // There is one already.
  }
}

async function saveProgram(
  settings: Settings,
  connection: Connection,
  { name, command, args, env, cwd = '/' }: ProgramToTest,
): Promise<string> {
  const { saveFolderServer } = await import('@proofmark/server');
  const server = { name, command, args: [...args], env: { ...env }, cwd };
  const wanted = { ...projectOf(connection), server };
  return withSentence(() => saveFolderServer(settings, wanted, printNotice));
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
