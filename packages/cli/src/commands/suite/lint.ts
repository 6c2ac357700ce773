import type { OutputOf } from '@proofmark/contract';
import { isGraveFinding, joinedTokens, Semaphore, type SurfaceTokens } from '@proofmark/domain';
import type { Command } from 'commander';
import { withExamples } from '../../examples.ts';
import { printJson, printLine } from '../../output.ts';
import { type Connection, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes, UsageProblem } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { lintLines } from '../../remote/lint-lines.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { type ServerFlags, withServerFlags } from '../test/chosen-servers.ts';
import {
  noLintForLight,
  type OwnService,
  type ServiceFlags,
  withServiceOrData,
} from '../test/open-service.ts';
import { isSuiteFile, refuseServerFlags } from './mutate.ts';

interface Flags extends ServerFlags, ServiceFlags {
  readonly run?: string;
  readonly strict?: true;
  readonly json?: true;
}

type LintConnection = Pick<Connection, 'projectId'> & {
  readonly client: Pick<Connection['client'], 'lintServer'>;
};
type LintReport = OutputOf<'lintServer'>;

export interface LintedSuite {
  readonly findings: LintReport['findings'];
  readonly tokens: SurfaceTokens;
}

/** Lints suite files; the light command, which lists no tools itself, has none. */
export type LintFiles = (
  named: readonly string[],
  flags: ServerFlags & ServiceFlags,
  own: OwnService,
) => Promise<number>;

/** What needs the server's code. */
export interface OwnLint {
  readonly own: OwnService;
  readonly lint: LintFiles;
}

export function suiteLintCommand(here?: OwnLint): Command {
  const command = withServerFlags(remoteCommand('lint'))
    .description('check the names, descriptions and schemas of the tools of a suite; exits with 0')
    .argument('<suite>', 'the id or the name of the suite; or a suite file, which needs no service')
    .option('--run <run>', 'check the tools of this run, without asking a server')
    .option('--strict', 'exit with 1 for a warning or an error')
    .option('--json', 'print the findings and the tokens as JSON')
    .action((wanted: string, flags: Flags) =>
      remotely(async () => {
        if (isSuiteFile(wanted)) return lintFile(wanted, flags, here);
        refuseServerFlags(flags);
        const linted = await withServiceOrData(flags, here?.own, (connection) =>
          lintSuite(connection, wanted, flags.run),
        );
        if (flags.json) printJson(linted);
        else for (const line of lintLines(linted, terminalAbility())) printLine(line);
        const isRefused = flags.strict === true && linted.findings.some(isGraveFinding);
        return isRefused ? exitCodes.failed : exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark suite lint Bookshop',
    'proofmark suite lint Bookshop --strict',
    'proofmark suite lint Bookshop --run run_1f3a --json',
    'proofmark suite lint shop.suite.yaml',
  );
}

async function lintFile(file: string, flags: Flags, here: OwnLint | undefined): Promise<number> {
  if (here === undefined) throw new UsageProblem(noLintForLight);
  if (flags.run !== undefined) {
    throw new UsageProblem(
      '--run reads a run of a service; name the suite of that run instead of a file.',
    );
  }
  const code = await here.lint([file], flags, here.own);
  // Without --strict, findings decide nothing here.
  return code === exitCodes.failed && !flags.strict ? exitCodes.passed : code;
}

async function lintSuite(
  connection: Connection,
  wanted: string,
  runId: string | undefined,
): Promise<LintedSuite> {
  const { client, projectId } = connection;
  const suiteId = await findSuiteId(connection, wanted);
  if (runId !== undefined) {
    const run = await client.getEvalRun({ projectId, runId });
    if (run.suiteId !== suiteId) throw new UsageProblem(`${runId} is not a run of this suite.`);
    const { findings, tokens } = await client.getEvalRunLint({ projectId, runId });
    return { findings, tokens };
  }
  const { environment } = await client.getEvalSuite({ projectId, suiteId });
  if (environment.serverIds.length === 0) {
    throw new UsageProblem('The suite has no saved servers; name a run of it: --run RUN');
  }
  return lintServers(connection, environment.serverIds);
}

/**
 * Maximum number of servers linted at the same time. A lint calls a real server, and a slow server
 * must not delay the others.
 */
export const serversAtOnce = 4;

/** The result is in the order of `serverIds`. After a failure, no further server is called. */
export async function lintServers(
  { client, projectId }: LintConnection,
  serverIds: readonly string[],
): Promise<LintedSuite> {
  const places = new Semaphore(serversAtOnce);
  const stop = new AbortController();
  const { signal } = stop;
  const lint = async (serverId: string) => {
    try {
      return await client.lintServer({ projectId, serverId, body: {} }, { signal });
    } catch (error) {
      stop.abort();
      throw error;
    }
  };
  const asked = serverIds.map((id) => places.run('servers', () => lint(id), { signal }));
  const reports = await Promise.all(asked);
  return {
    findings: reports.flatMap(({ findings }) => findings),
    tokens: joinedTokens(reports.map(({ tokens }) => tokens)),
  };
}
