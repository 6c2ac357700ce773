import type { ApiClient } from '@proofmark/client';
import { readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { withExamples } from '../../examples.ts';
import { minute, printColumns, printJson, printLine } from '../../output.ts';
import { type ConnectionFlags, remoteCommand, remotely } from '../../remote/connection.ts';
import { exitCodes } from '../../remote/exit-codes.ts';
import { findSuiteId } from '../../remote/find-id.ts';
import { cutTo } from '../../remote/listing-command.ts';
import { terminalAbility } from '../../remote/terminal.ts';
import { withTrustFlag } from '../../trust/require-trust.ts';
import { latestRunWord } from '../suite/list.ts';
import { type OwnService, withServiceOrData } from '../test/open-service.ts';

type Run = OutputOf<'listEvalSuiteRuns'>['items'][number];
type ListedRun = Run & { readonly suiteName: string };

interface Flags extends ConnectionFlags {
  readonly suite?: string;
  readonly limit: number;
  readonly json?: true;
}

/** With its header, the list fits on a screen. */
const usualLimit = 10;
const mostRuns = 200;

export function evalListCommand(own?: OwnService): Command {
  const command = withTrustFlag(remoteCommand('list'))
    .description('list the runs of a project, the newest first; exits with 0')
    .option('--suite <id or name>', 'only the runs of this suite')
    .option('--limit <number>', `the most runs to list (1 to ${mostRuns})`, readLimit, usualLimit)
    .option('--json', 'print them as JSON')
    .action((flags: Flags) =>
      remotely(async () => {
        const runs = await withServiceOrData(flags, own, async (connection) => {
          const { client, projectId } = connection;
          const suiteId =
            flags.suite === undefined ? undefined : await findSuiteId(connection, flags.suite);
          return newestRuns(client, { projectId, suiteId, limit: flags.limit });
        });
        if (flags.json) printJson(runs);
        else printRuns(runs);
        return exitCodes.passed;
      }),
    );
  return withExamples(
    command,
    'proofmark eval list',
    'proofmark eval list --suite Bookshop --limit 50 --json',
  );
}

function printRuns(runs: readonly ListedRun[]): void {
  if (runs.length === 0) {
    printLine('No runs yet. Start one: proofmark eval run SUITE, or proofmark test --keep');
    return;
  }
  const { ascii, width } = terminalAbility();
  printColumns(
    ['RUN', 'WHEN', 'VERDICT', 'SUITE'],
    runs.map((run) => [
      run.id,
      minute(new Date(run.createdAt)),
      latestRunWord(run),
      cutTo(cleanText(run.suiteName, ascii), width - 2),
    ]),
  );
}

/**
 * The API lists runs by suite, so the newest runs of every suite are read. The latest run of a suite
 * in its listing is of no use here, since replays do not count as one.
 */
export async function newestRuns(
  client: Pick<ApiClient, 'listEvalSuites' | 'listEvalSuiteRuns'>,
  wanted: {
    readonly projectId: string;
    readonly suiteId: string | undefined;
    readonly limit: number;
  },
): Promise<ListedRun[]> {
  const { projectId, suiteId, limit } = wanted;
  const suites = await readAllPages((page) => client.listEvalSuites({ projectId, ...page }));
  const played = suites.filter(({ id }) => suiteId === undefined || id === suiteId);
  let newest: ListedRun[] = [];
  for (const suite of played) {
    const query = { projectId, suiteId: suite.id, limit };
    const { items } = await client.listEvalSuiteRuns(query);
    const named = items.map((run) => ({ ...run, suiteName: suite.name }));
    newest = [...newest, ...named]
      .sort((one, other) => other.createdAt - one.createdAt)
      .slice(0, limit);
  }
  return newest;
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostRuns) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${mostRuns}.`);
}
