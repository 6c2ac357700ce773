/**
 * `proofmark init` drafts the first two suite files of a server from its tools: one with prompts
 * for a model, and a contract that needs no model. Each read-only tool is called once with sample
 * values, to learn which values the server knows.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  count,
  type DraftTool,
  draftFirstSuites,
  type FirstSuites,
  findSecrets,
  firstSuiteTexts,
  type Json,
  type SampleAnswer,
  type SampleCall,
  sampleAnswerOf,
  sampleCalls,
  toolToDraft,
} from '@proofmark/domain';
import { leftOutLines, ownWordsLines } from '@proofmark/report';
import { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { printJson, printLine } from '../output.ts';
import { type Connection, remotely } from '../remote/connection.ts';
import { exitCodes, UsageProblem } from '../remote/exit-codes.ts';
import { terminalAbility } from '../remote/terminal.ts';
import { isLink } from '../trust/is-outside-folder.ts';
import { warnOfServerJson } from './lint/lint-server-json.ts';
import { listSaved } from './lint/servers-to-lint.ts';
import {
  type ChosenServers,
  chosenServers,
  type ServerFlags,
  statedInSuite,
  withServerFlags,
} from './test/chosen-servers.ts';

import {
  type ListedServer,
  type OwnService,
  openService,
  refuseProgram,
  type ServiceFlags,
  withSettingsFlag,
} from './test/open-service.ts';
import { serverSaver } from './test/saved-servers.ts';
import { serversFoundHere } from './test/server-choice.ts';
import { problemOfFilesFound } from './test/servers-of-file.ts';
import { untilInterrupted } from './test/until-interrupted.ts';

interface Flags extends ServerFlags, ServiceFlags {
  readonly force?: true;
  readonly json?: true;
}

export function initCommand(own?: OwnService): Command {
  const command = withServerFlags(
    new Command('init')
      .description('write the first suite files from the tools of a server')
      .argument(
        '[file]',
        'the file of prompts (default: NAME.suite.yaml, with the name of the server); NAME.contract.suite.yaml is written beside it',
      ),
  )
    .option('--force', 'overwrite existing files')
    .option('--url <url>', 'address of a service (default: PROOFMARK_URL, or this folder)')
    .option('--project <id or name>', 'the project (default: PROOFMARK_PROJECT, or the only one)')
    .option('--json', 'print the result as JSON')
    .action((file: string | undefined, flags: Flags) => remotely(() => init(file, flags, own)));
  if (own !== undefined) withSettingsFlag(command);
  return withExamples(
    command,
    'proofmark init --server-command "node server.js"',
    'proofmark init --server http://127.0.0.1:8080/mcp weather.suite.yaml',
    'proofmark init --from .vscode/mcp.json --server-name weather',
  );
}

async function init(
  named: string | undefined,
  flags: Flags,
  own: OwnService | undefined,
): Promise<number> {
  refuseProgram(flags, own);
  const given = await chosenServers(flags);
  const chosen = given ?? (own === undefined ? undefined : await serversFoundHere(flags));
  if (chosen === undefined) {
    const problem = own === undefined ? undefined : problemOfFilesFound();
    throw new UsageProblem(
      problem ??
        'Name the server: --server-command "node server.js", --server URL or --from mcp.json.',
    );
  }
  const { only } = chosen;
  if (only === undefined) {
    throw new UsageProblem(
      `Name one of its servers with --server-name: ${chosen.names.join(', ')}.`,
    );
  }
  if (named !== undefined) refuseExisting(filesOf(named), flags);
  refuseSecretsInSuite(flags);
  await chosen.agree(only);
  return untilInterrupted(async ({ code }) => {
    const server = await openToDraft(only, chosen, flags, own);
    const draft = async () => {
      const listed = await server.list();
      await warnOfServerJson(flags.from ?? flags.config, listed);
      const name = nameOf(listed, chosen, flags) ?? only;
      const files = filesOf(named ?? `${name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')}.suite.yaml`);
      refuseExisting(files, flags);
      const tools = listed.tools.map((tool) => toolToDraft(name, tool));
      if (tools.length === 0) {
        throw new Error(`${name} lists no tools, so there is nothing to test yet.`);
      }
      const answers = await server.call(sampleCalls(tools));
      const drafts = draftFirstSuites({ tools, answers });
      writeSuites(drafts, files, name, flags);
      chosen.remember(files.prompts);
      printDrafts(drafts, files, { name, tools }, flags);
      return exitCodes.passed;
    };
    try {
      return await Promise.race([draft(), code]);
    } finally {
      await server.stop();
    }
  }, own?.stopAtOnce);
}

interface ServerToDraft {
  list(): Promise<ListedServer>;
  call(calls: readonly SampleCall[]): Promise<readonly SampleAnswer[]>;
  stop(): Promise<void>;
}

/**
 * Opens a service only if a flag or the environment names one, or if `own` is undefined. Otherwise
 * the tools are listed in this process, without a database.
 */
async function openToDraft(
  only: string,
  chosen: ChosenServers,
  flags: Flags,
  own: OwnService | undefined,
): Promise<ServerToDraft> {
  const options = { ...flags, isTyped: chosen.isTyped };
  const isNamed = flags.url !== undefined || Boolean(process.env['PROOFMARK_URL']);
  if (own !== undefined && !isNamed) {
    const lister = await own.openLister(options);
    const server = chosen.read(only);
    return {
      list: () => lister.list(server),
      call: (calls) => lister.call(server, calls),
      stop: () => lister.stop(),
    };
  }
  const opened = await openService(options, own);
  const { connection } = opened;
  const saved = () => serverSaver(opened, chosen)(only);
  return {
    async list() {
      await saved();
      return listSaved(connection, only);
    },
    call: async (calls) => callByService(connection, await saved(), calls),
    stop: () => opened.stop(),
  };
}

async function callByService(
  { client, projectId }: Connection,
  serverId: string,
  calls: readonly SampleCall[],
): Promise<readonly SampleAnswer[]> {
  const answers: SampleAnswer[] = [];
  for (const call of calls) {
    const body = { toolName: call.toolName, parameters: call.arguments };
    answers.push(
      await client.callTool({ projectId, serverId, body }).then(
        (result) => sampleAnswerOf(call, result),
        (error: unknown) => ({ ...call, outcome: 'failed' as const, message: String(error) }),
      ),
    );
  }
  return answers;
}

/** Returns the name that the server reports, unless a flag or a file of servers sets another. */
function nameOf(
  { serverInfo }: ListedServer,
  { only, isTyped }: ChosenServers,
  { serverName }: Flags,
): string | undefined {
  if (serverName !== undefined || !isTyped) return only;
  const stated = [serverInfo?.['name'], nameInPackage(), path.basename(process.cwd())];
  const usable = stated.flatMap((one) => (typeof one === 'string' ? [oneLine(one)] : []));
  return usable.find((one) => one !== '');
}

function oneLine(name: string): string {
  return name
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 150);
}

function nameInPackage(): unknown {
  try {
    return (JSON.parse(readFileSync('package.json', 'utf8')) as Json)['name'];
  } catch {
    // Most folders have no package.json. An invalid one counts as absent.
    return undefined;
  }
}

interface SuiteFiles {
  readonly prompts: string;
  readonly contract: string;
}

function filesOf(prompts: string): SuiteFiles {
  const [, base = prompts, ending = '.suite.yaml'] =
    /^(.*?)((?:\.suite)?\.(?:ya?ml|json))$/.exec(prompts) ?? [];
  return { prompts, contract: `${base}.contract${ending}` };
}

function refuseExisting(files: SuiteFiles, { force }: Flags): void {
  for (const file of Object.values(files)) {
    if (isLink(file)) {
      throw new UsageProblem(`${file} is a link, which init does not follow; remove it.`);
    }
    if (existsSync(file) && !force) {
      throw new UsageProblem(`${file} exists; overwrite it with --force.`);
    }
  }
}

/**
 * Suite files contain the server's address and are committed with the code, so secrets in them
 * would be visible to every reader.
 */
function refuseSecretsInSuite({ server = '', serverCommand = '' }: Flags): void {
  // A flag and its value are joined into one text, such as `--api-key=value`.
  const text = `${server} ${serverCommand}`.replaceAll(/(\s--?[\w-]+)\s+(?=[^\s-])/g, '$1=');
  const isKeyed = /[?&](?:key|apikey|sig|signature)=[^&\s]{8,}/i.test(server);
  const [found] = findSecrets(text);
  if (found === undefined && !isKeyed) return;
  throw new UsageProblem(
    serverCommand === ''
      ? 'The address contains a text that looks like a secret, and init would write it into the suite files. Give the address without it, and state the secret as a header that names an environment variable, in .mcp.json; then use --from .mcp.json.'
      : `The command contains a text that looks like a secret (${found?.kind ?? 'key'}), and init would write it into the suite files. Make the server read it from an environment variable, and name that variable with --server-env.`,
  );
}

function writeSuites(drafts: FirstSuites, files: SuiteFiles, serverName: string, flags: Flags) {
  const reached = statedInSuite(files.prompts, flags);
  const texts = firstSuiteTexts(drafts, { serverName, reached, model: 'proofmark/lexical-1' });
  const flag = flags.force ? 'w' : 'wx';
  writeFileSync(files.prompts, texts.prompts, { flag });
  writeFileSync(files.contract, texts.contract, { flag });
}

function printDrafts(
  { prompts, contract, leftOut }: FirstSuites,
  files: SuiteFiles,
  { name, tools }: { readonly name: string; readonly tools: readonly DraftTool[] },
  flags: Flags,
): void {
  const ownWords = prompts.map(({ prompt }) => prompt);
  if (flags.json) {
    const { prompts: file, contract: contractFile } = files;
    printJson({ file, contractFile, server: name, tools: tools.length, leftOut, ownWords });
    return;
  }
  const { width } = terminalAbility();
  printLine(`Wrote ${files.prompts} (${count(prompts.length + 1, 'case')}) and`);
  printLine(
    `${files.contract} (${count(contract.length + 1, 'case')}) from ${count(tools.length, 'tool')} of ${name}.`,
  );
  for (const line of [...leftOutLines(leftOut, width), ...ownWordsLines(ownWords, width)]) {
    printLine(line);
  }
  printLine('Run both: proofmark test');
}
