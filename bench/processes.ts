import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Started {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface BenchService extends Started {
  readonly folder: string;
  readonly apiKey: string;
  readonly projectId: string;
  admin(...parameters: string[]): Promise<string>;
}

const command = 'packages/cli/bin/proofmark.js';

export async function startService(
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  // If root starts the service, PostgreSQL runs as another user. That user must be able to enter
  // the folder.
  chmodSync(folder, 0o755);
  try {
    const service = await start([command, 'serve', '--port', '0', '--json', '--data-dir', folder], {
      PROOFMARK_RATE_LIMIT: '999999/999999',
      PROOFMARK_LOG_LEVEL: 'warn',
      ...environment,
    });
    const admin = (...parameters: string[]) =>
      output([command, 'admin', ...parameters, '--data-dir', folder]);
    const who = ['--email', 'bench@example.com', '--organization', 'Bench'];
    const made = JSON.parse(await admin('bootstrap', ...who, '--json')) as {
      apiKey: string;
      projectId: string;
    };
    return {
      url: service.url,
      pid: service.pid,
      folder,
      apiKey: made.apiKey,
      projectId: made.projectId,
      admin,
      async stop() {
        await service.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export function startBareServer(answerFile: string): Promise<Started> {
  return start(['--import', 'tsx', 'bench/bare-server.ts', answerFile], {});
}

async function start(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Started> {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${argv[0]} ended before it was ready.`)));
    child.stdout.once('data', (line) =>
      resolve((JSON.parse(String(line).split('\n')[0] ?? '') as { url: string }).url),
    );
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function output(argv: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return text;
}
