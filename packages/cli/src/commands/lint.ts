/**
 * `proofmark lint`: checks what servers show to models, without a service and without a database.
 * The servers are those that suite files state, or those that flags give.
 */
import { isGraveFinding, type Json, type LintFinding, lintSurface } from '@proofmark/domain';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printLine } from '../output.ts';
import { remotely } from '../remote/connection.ts';
import { exitCodes } from '../remote/exit-codes.ts';
import { lintLinesByServer } from '../remote/lint-lines.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { writeOutput } from '../remote/write-output.ts';
import { listSaved, type ServerToLint, serversToLint } from './lint/servers-to-lint.ts';
import { chosenServers, type ServerFlags, withServerFlags } from './test/chosen-servers.ts';
import {
  type ListedServer,
  type OwnService,
  openService,
  type ServiceFlags,
  withSettingsFlag,
} from './test/open-service.ts';
import { serversForSuites, serversFoundHere } from './test/server-choice.ts';
import { readSuiteToTest, suiteFilesHere, suiteFilesOf } from './test/suite-files.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

interface Flags extends ServerFlags, ServiceFlags {
  readonly strict?: true;
  /** True without a file. */
  readonly json?: true | string;
}

interface Linted extends ListedServer {
  readonly name: string;
}

export function lintCommand(own: OwnService): Command {
  const command = withSettingsFlag(
    withServerFlags(
      new Command('lint')
        .description(
          'check the names, descriptions and schemas of the tools of servers; exits with 1 for an error',
        )
        .argument(
          '[suites...]',
          'suite files that state the servers (default: *.suite.yaml and proofmark/*.yaml of this folder)',
        ),
    ),
  )
    .option('--strict', 'also exit with 1 for a warning')
    .option('--json [file]', 'print the findings and the tools as JSON, or write them to a file')
    .option('--url <url>', 'address of a service that has servers saved (default: this folder)')
    .option('--project <id or name>', 'the project of those servers (default: the only one)')
    .action((files: string[], flags: Flags) => remotely(() => lint(files, flags, own)));
  return withExamples(
    command,
    'proofmark lint',
    'proofmark lint --from server.json',
    'proofmark lint --server-command "node server.js" --strict',
    'proofmark lint weather.suite.yaml --json lint.json',
  );
}

async function lint(named: readonly string[], flags: Flags, own: OwnService): Promise<number> {
  const given = await chosenServers(flags);
  const files = suiteFilesHere(named);
  // Without a suite, a file that names the server suffices.
  const chosen = given ?? (files.length === 0 ? await serversFoundHere(flags) : undefined);
  if (chosen === undefined) suiteFilesOf(named);
  const suites = await Promise.all(files.map(readSuiteToTest));
  const wanted = await serversToLint(suites, chosen, serversForSuites(chosen, flags));
  return untilInterrupted(async ({ code }) => {
    const work = async () => {
      const listed = await listAll(wanted, { ...flags, isTyped: chosen?.isTyped ?? false }, own);
      const findings = lintSurface(listed);
      await tell(listed, findings, flags);
      return exitCodeOfLint(findings, flags.strict === true);
    };
    return Promise.race([work(), code]);
  }, own.stopAtOnce);
}

function exitCodeOfLint(
  findings: readonly Pick<LintFinding, 'severity'>[],
  isStrict: boolean,
): number {
  const fails = isStrict
    ? isGraveFinding
    : ({ severity }: Pick<LintFinding, 'severity'>) => severity === 'error';
  return findings.some(fails) ? exitCodes.failed : exitCodes.passed;
}

/** Lists one server after the other, so that a slow machine does not start many programs at once. */
async function listAll(
  wanted: readonly ServerToLint[],
  wish: ServiceFlags & { readonly isTyped: boolean },
  own: OwnService,
): Promise<Linted[]> {
  const listed: Linted[] = [];
  const lister = await own.openLister(wish);
  try {
    for (const { name, server } of wanted) {
      if (server !== undefined) listed.push({ name, ...(await lister.list(server)) });
    }
  } finally {
    await lister.stop();
  }
  const saved = wanted.filter(({ server }) => server === undefined);
  if (saved.length === 0) return listed;
  const service = await openService(wish, own);
  try {
    for (const { name } of saved) {
      listed.push({ name, ...(await listSaved(service.connection, name)) });
    }
  } finally {
    await service.stop();
  }
  return listed;
}

async function tell(
  listed: readonly Linted[],
  findings: readonly LintFinding[],
  { json }: Flags,
): Promise<void> {
  if (json !== undefined) {
    const surface = { servers: listed.map(({ name, tools }) => ({ name, tools: inShort(tools) })) };
    const text = JSON.stringify({ findings, surface });
    await writeOutput(`${text}\n`, json === true ? undefined : json);
    if (json === true) return;
  }
  const told = findings.map((finding) => ({ ...finding, trials: [...finding.trials] }));
  for (const line of lintLinesByServer(listed, told, terminalAbility())) printLine(line);
}

/** What a model gets of a tool. */
function inShort(tools: readonly Json[]): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
